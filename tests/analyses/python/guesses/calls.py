"""Calls whose receiver nobody knows, for which the only method of that name is taken."""

import outside
import outside.inner as inner
from elsewhere import thing


class Context:
    plain = False

    def style(self, text):
        if self.plain:
            return None
        return text


BANNER = outside.style("a")


def module_variable_ok():
    return BANNER.format(1)


def module_ok():
    return outside.style("b").format(1)


def renamed_module_ok():
    return inner.style("b").format(1)


def imported_object_ok():
    return thing.style("b").format(1)


def imported_here_ok():
    import outside as here

    return here.style("b").format(1)


def parameter_bad(context):
    return context.style("b").format(1)  # null.attribute


def method_of_a_test_ok(pipe):
    return pipe.push(1).count()
