"""Every EDB relation, once: name, columns, and a sentence that reads a row.

Extractors can emit nothing else. The Datalog declarations that the analyses are compiled with, the layout of the
blob cache and docs/facts.md are derived from this table.

Vocabulary: `v`, `w`, `base` are SSA values; a call is named by the value that it returns; `f` is a function, `c` a
class, `o` an abstract object; `site` is an occurrence of an operation; `live` is a control value: the code that
carries it runs only if the control value is reachable.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    columns: tuple[tuple[str, str], ...]  # (name, "symbol" | "number")
    doc: str

    @property
    def arity(self) -> int:
        return len(self.columns)


def _relation(signature: str, doc: str) -> Relation:
    name, _, rest = signature.partition("(")
    columns = []
    for part in rest.rstrip(")").split(","):
        column, _, kind = part.strip().partition(":")
        columns.append((column, kind or "symbol"))
    return Relation(name, tuple(columns), doc)


_TABLE = (
    # Modules, functions, classes.
    _relation("module(file, dotted)", "`file` may be imported as `dotted`."),
    _relation("test_file(file)", "`file` is test code: what it passes to the code under test is no evidence."),
    _relation("global_name(file, name, v)", "Module-level name `name` of `file` lives in cell `v`."),
    _relation(
        "renames(file, name, v)",
        "Where `file` is included, `name` is what `v` holds, unless the program or the library has that name.",
    ),
    _relation("star_import(file, dotted)", "`file` imports every public name of module `dotted`."),
    _relation("function(f, file)", "`f` is a function (or the module body) of `file`."),
    _relation("decorated(v, call)", "`v` is a function as its decorator leaves it, which `call` calls."),
    _relation("generator(f)", "Calling `f` makes a generator; its returns are not the call's value."),
    _relation("asynchronous(f)", "Calling `f` makes a coroutine; awaiting it gives what `f` returns."),
    _relation("overloaded(f)", "Whether `f` gives null depends on its arguments, as its overloads say."),
    _relation("property(f)", "`f` is read as an attribute."),
    _relation("static_method(f)", "`f` takes no receiver."),
    _relation("null_receiver(f)", "Method `f` may be called on null."),
    _relation(
        "functional(f, n:number)",
        "`f` takes `n` arguments and runs when a method of what holds it is called.",
    ),
    _relation("class_method(f)", "`f` takes its class as the receiver."),
    _relation("class_def(c, file)", "`c` is a class of `file`."),
    _relation("instance(c, o)", "The object `o` stands for every instance of class `c`."),
    _relation("class_base(c, v)", "Class `c` inherits from the class that `v` holds."),
    _relation(
        "hides_base(c, base, name)", "What the class `base` has as `name` is not what `c`, which inherits from it, has."
    ),
    _relation("virtual(c)", "What is declared to be a `c` may be an instance of any class derived from it."),
    _relation("functional_class(c)", "What is declared to be a `c` may be a function."),
    _relation("method(c, name, f)", "Class `c` defines method `name` as `f`."),
    _relation("class_attribute(c, name, v)", "The body of class `c` binds `name` to `v`."),
    _relation("class_variable(c, name)", "Attribute `name` of class `c` is declared to be shared by its instances."),
    _relation("constant_field(c, name, v)", "Attribute `name` of class `c` holds `v` for good."),
    _relation("nullable_field(c, name, v)", "Attribute `name` of instances of `c` is declared to take the null `v`."),
    _relation(
        "formal(f, i:number, v)", "Positional parameter number `i` (from 0, the receiver included) of `f` is `v`."
    ),
    _relation("formal_name(f, name, v)", "Parameter `name` of `f` is `v`."),
    _relation("formal_rest(f, v)", "`v` collects the positional arguments of `f` that no parameter takes."),
    _relation(
        "formal_array(f, i:number, v)",
        "`v` is an array of the arguments of `f` from number `i` on.",
    ),
    _relation("formal_rest_names(f, v)", "`v` collects the keyword arguments of `f` that no parameter takes."),
    _relation("default(v, w)", "Parameter `v` is `w` where a call leaves it out."),
    _relation("returns(f, v, live)", "`f` may return `v`."),
    _relation("behind_null(v, call)", "The null `v` is returned only where `call` has given null."),
    _relation(
        "requires(v, p, truth)",
        "The null `v` is returned only where parameter `p` is true (or false, null, out of bounds).",
    ),
    _relation("evaluated_number(x, n:number)", "`x`, a call or a test of its result, is `n`, as what is passed shows."),
    _relation("evaluated_not_null(call)", "`call` does not give null, as what is passed shows."),
    _relation("evaluated_for(x, call, f)", "What is so shown of `x` holds if `call` runs `f` and nothing else."),
    _relation("rules_out(call, v)", "By what `call` passes, it does not return the null `v`."),
    _relation("default_truth(p, truth)", "Parameter `p` is true (or false) where a call leaves it out."),
    _relation("ends(f, live)", "Control may leave `f` normally at a point with control value `live`."),
    _relation("yields(f, v)", "`f` may yield `v`."),
    # Values.
    _relation("new(v, o, c)", "`v` holds a new object `o` of class `c`."),
    _relation("made_in(o, f)", "The container `o` is written in function `f`."),
    _relation("filled(o)", "The object `o` is written with its elements in the source."),
    _relation("holds(v, e)", "`v` holds the function or class `e`."),
    _relation("import_module(v, dotted)", "`v` holds the module `dotted`."),
    _relation("import_from(v, dotted, name)", "`v` holds what module `dotted` calls `name`."),
    _relation("typed(v, t)", "`v` is declared to hold an instance of the class that `t` holds."),
    _relation("null(v, kind)", "`v` is null; `kind` says why: literal, zero, end, annotation, unset, tested."),
    _relation("tested_null(v, test)", "`v` is null by `test`, a comparison that the function goes on after."),
    _relation("tested_late(use, test)", "What `use` needs is compared with null by `test` afterwards."),
    _relation("macro(f)", "`f` is a macro with parameters, which stands for its body where it is used."),
    _relation("macro_left(p, v)", "Parameter `p` of a macro is `v` where the macro ends."),
    _relation("macro_after(w, call, v)", "`w` is argument `v` of `call`, which a macro may have given another value."),
    _relation("in_macro(use)", "`use` is written in a macro."),
    _relation("nullable_formal(v)", "Parameter `v` is declared to take null."),
    _relation("nonnull(v)", "`v` was shown not to be null before it was read again."),
    _relation("assign(w, v)", "The value of `v` flows to `w`."),
    _relation("assign_object(w, v)", "`w` is `v` where it is not null: objects flow, null does not."),
    _relation("assign_null(w, v)", "`w` is null where `v` is: null flows, objects do not."),
    _relation("converts(w, v, c)", "`w` is `v`, a pointer of no type, as one to an object of class `c`."),
    _relation("used_for(v, c)", "What a call or a field gives as `v` is used as a pointer to an object of class `c`."),
    _relation("boxes(w, v)", "`w` is the pointer `v` as an interface, which is not null even where the pointer is."),
    _relation("plain(v)", "`v` points to what holds no pointers."),
    _relation("untyped_result(f)", "`f` returns a pointer of no type."),
    _relation("untyped_field(name)", "Some attribute `name` is a pointer of no type."),
    _relation("interior(w, v)", "`w` points into the object that `v` points to."),
    _relation("copies(w, v)", "The fields of what `v` points to become fields of what `w` points to."),
    _relation("initial_null(o, field, v)", "The variable at `o` is initialised with null `v` as its `field`."),
    _relation("phi(w, v, live)", "The value of `v` flows to `w` at a join, from code with control value `live`."),
    _relation("load(v, base, field)", "`v` is read from attribute `field` of `base`."),
    _relation(
        "store(base, field, v)", "`v` is written to attribute `field` of `base`; `[]` is any element, `{}` any key."
    ),
    _relation("subscript(v, base)", "`v` is an element of `base`, at a key that is not known."),
    _relation(
        "element(v, base, i:number)", "`v` is the element number `i` of `base`, by unpacking or a constant index."
    ),
    _relation("iterate(v, base)", "`v` is what iteration over `base` gives."),
    _relation("tuple_item(o, i:number, v)", "The tuple `o` has `v` as its item number `i`."),
    _relation(
        "item_where(w, base, i:number, j:number, outcome)",
        "`w` is item number `i` of `base`, whose item number `j` was shown to be `outcome`: null, true or false.",
    ),
    _relation("tuple_truth(o, i:number, truth)", "Item number `i` of the tuple `o` is true, or false."),
    _relation("repeat(v, base)", "`v` is a sequence that repeats the elements of `base`."),
    _relation("super_of(v, c, receiver)", "`v` looks up attributes of `receiver` in the bases of class `c`."),
    # Versions of objects that a function makes or is passed, in the order of what it does to them.
    _relation(
        "version_made(t, v)",
        "Version `t` is that of the object `v` where it is made, before its constructor runs.",
    ),
    _relation("version_formal(t, v)", "Version `t` is that of the object that is passed as parameter `v`."),
    _relation("version_set(t, s, field)", "Version `t` is `s` with another `field`."),
    _relation("version_value(t, v)", "The field that version `t` has anew is `v`; without a row, it is a constant."),
    _relation("version_call(t, s, call, v)", "Version `t` is what `call`, which got the object `v`, made of `s`."),
    _relation("version_lost(t)", "Version `t` is that of an object with a second name: it is not followed."),
    _relation(
        "version_at(call, v, t)",
        "`call` gets the object `v` in version `t`, else in its first.",
    ),
    _relation("version_read(v, t, field)", "`v` is `field` of an object in version `t`."),
    _relation("version_exit(f, v, t, live)", "The object of parameter `v` has version `t` when `f` is left."),
    _relation(
        "version_unknown(v)",
        "`v` is joined with other objects, or a parameter of a large function.",
    ),
    _relation("version_back(v)", "Parameter `v` is what its function returns."),
    _relation("version_returned(f, v, t, live)", "`f` returns the object `v` that it has made, in version `t`."),
    _relation("actual_literal(call, i:number, text)", "Argument `i` of `call` is the constant `text`."),
    # Fields of a known object, followed like locals within a function.
    _relation("carry(w, v, field)", "`w` is the content `v` of an attribute `field` some calls later."),
    _relation("carry_across(w, call)", "Between the two lies `call`."),
    _relation("path_formal(f, v, field, w)", "`w` is attribute `field` of parameter `v` when `f` is entered."),
    _relation("path_actual(call, v, field, w)", "`w` is attribute `field` of argument `v` when `call` is made."),
    _relation("path_exit(f, v, field, w, live)", "`w` is attribute `field` of parameter `v` when `f` is left."),
    _relation("path_result(call, v, field, w)", "`w` is attribute `field` of argument `v` after `call`."),
    _relation("field_write(f, field)", "`f` writes an attribute `field`."),
    _relation("state_write(f, field)", "The same of an attribute that holds a number or a truth."),
    _relation("field_at_exit(f, c, field, v, live)", "Constructor `f` of class `c` leaves `v` in attribute `field`."),
    _relation(
        "written_late(c, field)",
        "Code other than constructors of `c` (of some class, if `?`) writes attribute `field`.",
    ),
    _relation(
        "attribute_left(base, field, v, live)",
        "A function that writes attribute `field` of `base` is left with `v` there, which it knows no more of.",
    ),
    _relation(
        "attribute_written(base, field, v)", "A function writes `v`, which may be null, to attribute `field` of `base`."
    ),
    _relation(
        "attribute_set(base, field)",
        "A function writes attribute `field` of `base` and leaves it not null, or unknown.",
    ),
    _relation("found_null(v)", "`v` is null by a test of its function, which goes on with it."),
    _relation("import_fallback(c, v)", "The shared variable `c` is the null `v` where an import fails."),
    _relation("variable_asked(c)", "Some code tests the shared variable `c`."),
    _relation("clears(f, base, field, v)", "Function `f` sets attribute `field` of `base` to the null `v`."),
    _relation("doubts(f, v)", "Function `f` asks whether `v`, read from an attribute or given by a call, is null."),
    _relation(
        "trusts(f, v)", "Function `f` uses `v`, which it has read from an attribute and of which it knows nothing."
    ),
    _relation(
        "optional_field(c, name, v)", "Attribute `name` of class `c` is annotated as one that may be the null `v`."
    ),
    _relation("required_field(c, name)", "Attribute `name` of class `c` is annotated as one that is never null."),
    _relation("starts_null(c)", "The shared variable `c` is null before anything is written to it."),
    _relation("variable_left(c, v, live)", "A function that writes the shared variable `c` is left with `v` there."),
    _relation("variable_after(w, call, c)", "`w` is the shared variable `c` behind `call`, which always writes it."),
    _relation("variable_set(c)", "A function that writes the shared variable `c` leaves it not null, or unknown."),
    _relation(
        "path_shown(call, v, field)", "Attribute `field` of argument `v` was shown not to be null when `call` is made."
    ),
    _relation("unknown_content(v)", "`v` is read from an attribute of which its function knows nothing."),
    _relation(
        "unknown_before(v, call)", "Of the attribute that `v` is read from nothing is known but that `call` came since."
    ),
    # Calls.
    _relation("call(call, f, live)", "`call` stands in function `f`."),
    _relation("call_value(call, v)", "`call` calls what `v` holds."),
    _relation("call_method(call, base, name)", "`call` calls attribute `name` of `base`."),
    _relation("construction(call, name)", "`call` makes an object with the constructor `name` of its class."),
    _relation("actual(call, i:number, v)", "Positional argument number `i` of `call` is `v`."),
    _relation("actual_name(call, name, v)", "Keyword argument `name` of `call` is `v`."),
    _relation(
        "actual_array(call, i:number, v)",
        "The last argument of `call`, number `i`, is an array `v`: it may stand for several arguments.",
    ),
    _relation("actual_rest(call, v)", "`call` passes the elements of `v` as positional arguments."),
    _relation("actual_rest_names(call, v)", "`call` passes the items of `v` as keyword arguments."),
    _relation("actual_truth(call, i:number, truth)", "Positional argument `i` of `call` is true, false, or unknown."),
    _relation("actual_name_truth(call, name, truth)", "Keyword argument `name` of `call` is true, false, or unknown."),
    _relation(
        "unread(call, how)",
        "Nothing reads what `call` gives: it is `stored` in a local variable, or else dropped (`needed`, `output`: "
        "why the library's function gives it).",
    ),
    _relation("valued(f)", "`f` gives a value that is not the same always."),
    _relation("pure(f)", "Calling `f` does nothing but give a value."),
    _relation("named(call)", "What `call` gives is bound to a name."),
    _relation("actual_kind(call, i:number, kind)", "Argument `i` of `call` is shown to be a number, a String, ..."),
    _relation("formal_kind(f, i:number, kind)", "Of overloads, `f` takes a number, a String, ... as argument `i`."),
    _relation("arguments(call, n:number)", "`call` passes exactly `n` arguments."),
    _relation("await(v, w)", "`v` is what awaiting `w` gives."),
    _relation("enter(v, w)", "`v` is what entering the context manager `w` gives."),
    # Control.
    _relation("control(w, v)", "Code with control value `w` is reached from code with control value `v`."),
    _relation("control_call(w, v, call)", "Code with control value `w` is reached from `v` once `call` returns."),
    _relation(
        "control_if(w, v, x, n:number, outcome)",
        "Code with control value `w` is reached from `v` if what `x` reads or calls gives `n` (`other`).",
    ),
    _relation("scalar_field(c, name, n:number)", "Field `name` of class `c` is initialised with the number `n`."),
    _relation("scalar_result(f, n:number)", "Function `f` always gives the number `n`; nothing overrides it."),
    # Tests made by helpers.
    _relation("test(k, v, outcome)", "From `k` on, `v` is known to be true or false, or was asked."),
    _relation("test_after(k, before)", "What was known at `before` is known at `k`."),
    _relation(
        "under_test(v, k)",
        "The attribute (or result of a method without parameters) `v` is read where `k` is known of its base.",
    ),
    _relation("implies(f, outcome, field)", "A result of `f` that is true (or false) means that `field` is not null."),
    _relation("result(f, site)", "`f` returns the value of an expression at `site`."),
    # Ways out of a function, and what a call's result shows of them.
    _relation("exit(e, f, live)", "`f` is left at `e`."),
    _relation(
        "exit_result(e, low:number, high:number)",
        "The result lies between `low` and `high` (or in another such range of `e`) where a function is left at `e`.",
    ),
    _relation("exit_of_call(e, call)", "The result is that of `call` where a function is left at `e`."),
    _relation(
        "stands_for(n:number, m:number)",
        "Where results are told, `n` is written for `m`: for a constant that another file may define, or next to one.",
    ),
    _relation("exit_shown(e, p)", "Parameter `p` is not null where its function is left at `e`."),
    _relation("exit_unknown(e, p)", "Parameter `p` may be null where its function is left at `e`."),
    _relation("exit_path(e, p, field, v)", "`field` of parameter `p` is `v` where its function is left at `e`."),
    _relation(
        "shown(w, call, v, low:number, high:number)",
        "`w` is argument `v` of `call`, whose result lies between `low` and `high` (or in another such range of `w`).",
    ),
    _relation(
        "path_result_when(call, v, field, w, low:number, high:number)",
        "`w` is attribute `field` of argument `v` after `call`, if its result lies between `low` and `high`.",
    ),
    _relation("left_only(p, truth)", "The function of parameter `p` is left only where `p` is true (or false)."),
    _relation(
        "shown_where(w, call, i:number, truth)",
        "`w` was shown not to be null before `call` if its argument number `i` is true (or false).",
    ),
    _relation(
        "promise(name, what, i:number)", "Function `name` is declared to keep `what`, of parameter `i` if it has one."
    ),
    # Objects that are freed.
    _relation("alive(t)", "`t` says of the object of a parameter that its function has not freed it."),
    _relation(
        "released(t, call, v, field)", "`t` says whether `call` has freed what argument `v` (its `field`) points to."
    ),
    _relation("released_before(t, s)", "What `s` said before the call, `t` says after it."),
    _relation("use_released(t)", "The object of `t` may have been freed before the call."),
    _relation("use_freed(site, t, kind, live)", "`site` uses an object of which `t` says whether it was freed."),
    _relation(
        "freed_exit(f, p, field, t, live)",
        "`t` says of what parameter `p` (its `field`) pointed to whether `f` freed it.",
    ),
    _relation("excessive(call)", "`call` asks for more bytes than any object has where addresses have 32 bits."),
    _relation(
        "outlives(site, o, live)", "`site` leaves the address of variable `o` behind where its function is left."
    ),
    _relation("same_object(call, i:number, j:number)", "Arguments `i` and `j` of `call` point into one object."),
    _relation(
        "restrict(f, i:number, access)", "`f` reaches what parameter `i` points to through that parameter alone."
    ),
    # Uses.
    _relation("compares(site, v, method)", "`site` does not fail if `method` of `v`, whose operand it is, takes null."),
    _relation("passes_where(w, v, site)", "`w` is `v` after `site`, which did not fail."),
    _relation("receiver_use(site, call)", "At `site`, `call` needs its receiver."),
    _relation("dereference(site, v, kind, live)", "`site` fails if `v` is null; `kind` is the operation."),
    _relation("beside(site, v, i:number)", "At `site`, of the items unpacked with `v`, number `i` is not null."),
    _relation("handled(site)", "An exception at `site` is caught in the same function by a handler for everything."),
    _relation("write(site, v, kind)", "`site` changes the object that `v` holds; `kind` is attribute or item."),
    _relation("iterates(loop, v)", "`loop` goes over the elements of `v`."),
    _relation("in_loop(call, loop)", "`call` stands in the body of `loop`, which goes on after it."),
    # The library, from its models.
    _relation("lib_member(owner, name, entity)", "`entity` is what member `name` of the module or class `owner` is."),
    _relation("lib_class(c)", "`c` is a class of the library."),
    _relation("lib_function(f)", "`f` is a function or method of the library."),
    _relation("lib_base(c, base)", "The library's class `c` inherits, directly or not, from `base`."),
    _relation("lib_instance(o, c)", "The library's object `o` is an instance of `c`."),
    _relation("lib_object(c, o)", "`o` stands for any instance of the library's class `c`."),
    _relation("lib_value(e, o)", "The library's variable, attribute or property `e` holds `o`."),
    _relation("lib_value_nullable(e)", "The library's variable, attribute or property `e` may be null."),
    _relation("lib_returns(f, o)", "A call of the library's `f` gives `o`."),
    _relation("lib_returns_receiver(f)", "A call of the library's `f` gives its receiver."),
    _relation(
        "lib_returns_argument(f, i:number, name)", "A call of `f` may give its argument number `i`, named `name`."
    ),
    _relation(
        "lib_returns_applied(f, i:number)", "A call of `f` may give what the function that is its argument `i` gives."
    ),
    _relation("lib_returns_item(f)", "A call of `f` gives an element of its receiver."),
    _relation(
        "lib_returns_contents(f, i:number)",
        "A call of `f` gives a container of the elements of argument `i`; -1 is the receiver.",
    ),
    _relation("lib_takes_null(f)", "The library's `f`, which frees its argument, does nothing where that is null."),
    _relation("lib_returns_none(f)", "A call of the library's `f` always gives null."),
    _relation("lib_fresh(f)", "A call of `f` gives an object of its own, not the receiver or argument itself."),
    _relation("lib_new(f, c)", "A call of the library's `f` gives a new object of class `c`."),
    _relation(
        "lib_returns_argument_item(f, i:number, name)",
        "A call of `f` may give an element of its argument `i`, named `name`.",
    ),
    _relation(
        "lib_appends(f, i:number)",
        "A call of `f` puts its argument number `i` behind the receiver's last element.",
    ),
    _relation(
        "lib_puts(f, i:number)",
        "A call of `f` puts its argument `i` into the receiver, where argument 0 says.",
    ),
    _relation("lib_picks(f)", "A call of `f` gives the element of its receiver that its argument 0 names."),
    _relation("lib_asks(f)", "A call of `f` changes nothing and gives no part of its receiver."),
    _relation("lib_stores(f, i:number)", "A call of `f` puts its argument number `i` into the receiver."),
    _relation(
        "lib_stores_contents(f, i:number)", "A call of `f` puts the elements of its argument `i` into the receiver."
    ),
    _relation("lib_nullable(f, n:number)", "A call of the library's `f` with `n` arguments may give null."),
    _relation("lib_present(f)", "No call of the library's `f` gives null."),
    _relation("lib_noreturn(f)", "A call of the library's `f` does not return."),
    _relation("lib_frees(f, i:number)", "A call of the library's `f` frees what its argument `i` points to."),
    _relation(
        "lib_moves(f, i:number)", "A call of `f` frees what its argument `i` points to if it can give a new object."
    ),
    _relation("lib_apart(f, i:number, j:number)", "Arguments `i` and `j` of `f` must not overlap."),
    _relation("lib_item(o, e)", "Subscripting the library's object `o` gives `e`."),
    _relation("lib_iteration(o, e)", "Iterating over the library's object `o` gives `e`."),
    _relation("lib_mutates(f)", "A call of the library's `f` changes its receiver."),
    _relation("lib_replaces(f)", "A call of the library's `f` changes its receiver and leaves its iterators valid."),
    _relation("lib_mutable(c)", "Instances of the library's class `c` are containers that can be changed."),
    _relation("lib_copies_defaults(c)", "Each instance of a class derived from `c` has copies of what its body holds."),
    _relation("lib_stdlib(module)", "`module` is described by the library's models."),
)

RELATIONS: dict[str, Relation] = {relation.name: relation for relation in _TABLE}


def markdown() -> str:
    """docs/facts.md."""
    lines = [
        "# Facts",
        "",
        "Every relation that extractors can emit. `python -m pliant.extractors.schema` prints this page from",
        "`extractors/schema.py`.",
        "",
        "`v`, `w`, `base` are SSA values; a call is named by its value; `f` is a function, `c` a class,",
        "`o` an abstract object; `site` is an occurrence of an operation; `live` is a control value: the code that",
        "carries it runs only if the control value is reached. Columns are symbols unless they are marked as numbers.",
        "",
        "| relation | what a row says |",
        "|---|---|",
    ]
    for relation in _TABLE:
        columns = ", ".join(name if kind == "symbol" else f"{name}: {kind}" for name, kind in relation.columns)
        lines.append(f"| `{relation.name}({columns})` | {relation.doc} |")
    return "\n".join(lines) + "\n"


def declarations() -> str:
    """The relations as `.decl` and `.input` lines of a Datalog program."""
    lines = []
    for relation in _TABLE:
        columns = ", ".join(f"{name}: {kind}" for name, kind in relation.columns)
        lines.append(f".decl {relation.name}({columns})\n.input {relation.name}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown())
