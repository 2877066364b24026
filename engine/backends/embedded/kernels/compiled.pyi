from .in_numpy import Ascent as Ascent
from .in_numpy import count_packed as count_packed
from .in_numpy import divide as divide
from .in_numpy import enter as enter
from .in_numpy import fill as fill
from .in_numpy import find_ranges as find_ranges
from .in_numpy import find_rows as find_rows
from .in_numpy import join as join
from .in_numpy import lower as lower
from .in_numpy import mark as mark
from .in_numpy import merge as merge
from .in_numpy import note as note
from .in_numpy import outlook as outlook
from .in_numpy import pack as pack
from .in_numpy import put as put
from .in_numpy import settle as settle
from .in_numpy import sum_by_row as sum_by_row
from .in_numpy import take as take
from .in_numpy import walk as walk

def has_avx2() -> bool: ...
