"""Names bound by assignment to what another module has."""

from lib import core

find = core.find
sure = core.sure
