"""Terms of the solver Z3, made by the functions of its C library: its classes for Python take ten times as long."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from types import TracebackType
from typing import Any

from z3 import z3consts, z3types
from z3 import z3core as z3

STEPS = 3_000_000  # of the solver's own counter (`rlimit`), the same on each machine
Term = Any  # a pointer; valid as long as what made it


class Solver:
    """A Z3 context of its own, so that earlier questions change no answer. Its sorts are conditions, whole numbers,
    real numbers, and `value`, an uninterpreted sort."""

    def __enter__(self) -> Solver:
        config = z3.Z3_mk_config()
        self._context = context = z3.Z3_mk_context(config)  # keeps all terms
        z3.Z3_del_config(config)
        self._solver = z3.Z3_mk_simple_solver(context)
        z3.Z3_solver_inc_ref(context, self._solver)
        self.take_at_most(STEPS)
        self._names = 0
        self._functions: dict[Hashable, Term] = {}
        self.condition, self.whole, self.real = (
            make(context) for make in (z3.Z3_mk_bool_sort, z3.Z3_mk_int_sort, z3.Z3_mk_real_sort)
        )
        self.value = z3.Z3_mk_uninterpreted_sort(context, self._name())
        self.true, self.false = z3.Z3_mk_true(context), z3.Z3_mk_false(context)
        return self

    def take_at_most(self, steps: int) -> None:
        """From now on, for each question."""
        parameters = z3.Z3_mk_params(self._context)
        z3.Z3_params_inc_ref(self._context, parameters)
        z3.Z3_params_set_uint(self._context, parameters, z3.Z3_mk_string_symbol(self._context, "rlimit"), steps)
        z3.Z3_solver_set_params(self._context, self._solver, parameters)
        z3.Z3_params_dec_ref(self._context, parameters)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        z3.Z3_solver_dec_ref(self._context, self._solver)
        z3.Z3_del_context(self._context)

    def _name(self) -> Term:
        self._names += 1
        return z3.Z3_mk_int_symbol(self._context, self._names)

    # Terms.

    def constant(self, sort: Term) -> Term:
        """A new one, of which nothing is known."""
        return z3.Z3_mk_const(self._context, self._name(), sort)

    def applied(self, function: Hashable, result: Term, *arguments: Term) -> Term:
        """What a function gives, for values. function: its name, with how many arguments it takes."""
        made = self._functions.get(function)
        if made is None:
            sorts = (z3types.Sort * len(arguments))(*[self.value] * len(arguments))
            made = z3.Z3_mk_func_decl(self._context, self._name(), len(arguments), sorts, result)
            self._functions[function] = made
        return z3.Z3_mk_app(self._context, made, len(arguments), _several(arguments))

    def number(self, number: int, sort: Term) -> Term:
        return z3.Z3_mk_numeral(self._context, str(number), sort)

    def equal(self, one: Term, other: Term) -> Term:
        return z3.Z3_mk_eq(self._context, one, other)

    def less(self, one: Term, other: Term) -> Term:
        return z3.Z3_mk_lt(self._context, one, other)

    def at_most(self, one: Term, other: Term) -> Term:
        return z3.Z3_mk_le(self._context, one, other)

    def sum(self, *parts: Term) -> Term:
        return self._of_several(z3.Z3_mk_add, parts)

    def difference(self, *parts: Term) -> Term:
        return self._of_several(z3.Z3_mk_sub, parts)

    def negative(self, number: Term) -> Term:
        return z3.Z3_mk_unary_minus(self._context, number)

    def opposite(self, holds: Term) -> Term:
        return z3.Z3_mk_not(self._context, holds)

    def both(self, *parts: Term) -> Term:
        return self._of_several(z3.Z3_mk_and, parts)

    def any_of(self, *parts: Term) -> Term:
        return self._of_several(z3.Z3_mk_or, parts)

    def implies(self, one: Term, other: Term) -> Term:
        return z3.Z3_mk_implies(self._context, one, other)

    def either(self, holds: Term, yes: Term, no: Term) -> Term:
        return z3.Z3_mk_ite(self._context, holds, yes, no)

    def _of_several(self, make: Callable[[Term, int, Term], Term], parts: Sequence[Term]) -> Term:
        return make(self._context, len(parts), _several(parts))

    # The question.

    def add(self, holds: Term) -> None:
        z3.Z3_solver_assert(self._context, self._solver, holds)

    def push(self) -> None:
        z3.Z3_solver_push(self._context, self._solver)

    def pop(self) -> None:
        """Forget what was added since `push`."""
        z3.Z3_solver_pop(self._context, self._solver, 1)

    def can_hold(self, *assumed: Term) -> bool | None:
        """Whether all that was added can hold, with constants that are assumed, or the opposite of such; None where
        that takes more steps than there are."""
        found = z3.Z3_solver_check_assumptions(self._context, self._solver, len(assumed), _several(assumed))
        return {z3consts.Z3_L_TRUE: True, z3consts.Z3_L_FALSE: False}.get(found)

    def answers(self, conditions: Sequence[Term]) -> list[bool]:
        """What conditions are where all that was added, and has been found to be possible, holds."""
        model = z3.Z3_solver_get_model(self._context, self._solver)
        z3.Z3_model_inc_ref(self._context, model)
        found = []
        for condition in conditions:
            value = (z3types.Ast * 1)()
            z3.Z3_model_eval(self._context, model, condition, True, value)
            found.append(z3.Z3_get_bool_value(self._context, value[0]) == z3consts.Z3_L_TRUE)
        z3.Z3_model_dec_ref(self._context, model)
        return found

    def contradicting(self, assumed: Sequence[Term]) -> list[int]:
        """Which of what was assumed cannot hold together, where that has been found."""
        core = z3.Z3_solver_get_unsat_core(self._context, self._solver)
        z3.Z3_ast_vector_inc_ref(self._context, core)
        size = z3.Z3_ast_vector_size(self._context, core)
        there = {z3.Z3_ast_vector_get(self._context, core, number).value for number in range(size)}
        z3.Z3_ast_vector_dec_ref(self._context, core)
        return [number for number, each in enumerate(assumed) if each.value in there]


def _several(terms: Sequence[Term]) -> Term:
    return (z3types.Ast * len(terms))(*terms)
