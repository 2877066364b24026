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
    _relation(
        "test_file(file)",
        "`file` is test code: arguments that it passes to the code under test are no evidence.",
    ),
    _relation("global_name(file, name, v)", "Module-level name `name` of `file` lives in cell `v`."),
    _relation(
        "renames(file, name, v)",
        "Where `file` is included, `name` means the value of `v`, unless the program or the library defines it.",
    ),
    _relation("star_import(file, dotted)", "`file` imports every public name of module `dotted`."),
    _relation("function(f, file)", "`f` is a function (or the module body) of `file`."),
    _relation("decorated(v, call)", "`v` is a function after its decorator, which `call` calls."),
    _relation("generator(f)", "Calling `f` makes a generator; its returns are not the result of the call."),
    _relation("asynchronous(f)", "Calling `f` makes a coroutine; awaiting it returns the result of `f`."),
    _relation("overloaded(f)", "The overloads of `f` make its nullness depend on its arguments."),
    _relation("property(f)", "`f` is read as an attribute."),
    _relation("static_method(f)", "`f` takes no receiver."),
    _relation("null_receiver(f)", "Method `f` may be called on null."),
    _relation(
        "functional(f, n:number)",
        "`f` takes `n` arguments and runs when a method of an object that holds it is called.",
    ),
    _relation("class_method(f)", "`f` takes its class as the receiver."),
    _relation("class_def(c, file)", "`c` is a class of `file`."),
    _relation("instance(c, o)", "The object `o` stands for every instance of class `c`."),
    _relation("class_base(c, v)", "Class `c` inherits from the class that `v` holds."),
    _relation(
        "hides_base(c, base, name)",
        "Member `name` of the class `base` is not the member `name` of `c`, which inherits from it.",
    ),
    _relation("virtual(c)", "A value declared as `c` may be an instance of any class derived from it."),
    _relation("interface(c)", "What `c`, an interface, has is inherited where no extended class has it."),
    _relation("functional_class(c)", "A value declared as `c` may be a function."),
    _relation("method(c, name, f)", "Class `c` defines method `name` as `f`."),
    _relation("class_attribute(c, name, v)", "The body of class `c` binds `name` to `v`."),
    _relation("class_variable(c, name)", "Attribute `name` of class `c` is declared to be shared by its instances."),
    _relation("constant_field(c, name, v)", "Attribute `name` of class `c` always holds `v`."),
    _relation(
        "nullable_field(c, name, v)",
        "Attribute `name` of instances of `c` is declared nullable, with the null `v`.",
    ),
    _relation("hides_field(c, name)", "Class `c` declares a field `name`, whatever its bases have of that name."),
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
    _relation("omissible(v)", "A call may omit parameter `v`."),
    _relation("default(v, w)", "Parameter `v` is `w` if a call omits it."),
    _relation("returns(f, v, live)", "`f` may return `v`."),
    _relation("behind_null(v, call)", "The null `v` is returned only if `call` has returned null."),
    _relation(
        "requires(v, p, truth)",
        "The null `v` is returned only if parameter `p` is true (or false, null, out of bounds).",
    ),
    _relation("rules_out(call, v)", "With its arguments, `call` does not return the null `v`."),
    _relation("default_truth(p, truth)", "Parameter `p` is true (or false) if a call omits it."),
    _relation("ends(f, live)", "Control may leave `f` normally at a point with control value `live`."),
    _relation("yields(f, v)", "`f` may yield `v`."),
    # Values.
    _relation("new(v, o, c)", "`v` holds a new object `o` of class `c`."),
    _relation("made_in(o, f)", "The container `o` is written in function `f`."),
    _relation("filled(o)", "The object `o` is written with its elements in the source."),
    _relation("holds(v, e)", "`v` holds the function or class `e`."),
    _relation("import_module(v, dotted)", "`v` holds the module `dotted`."),
    _relation("import_from(v, dotted, name)", "`v` holds member `name` of module `dotted`."),
    _relation("typed(v, t)", "`v` is declared to hold an instance of the class that `t` holds."),
    _relation("null(v, kind)", "`v` is null; `kind` says why: literal, zero, end, annotation, unset, tested."),
    _relation("tested_null(v, test)", "`v` is null by `test`, a comparison after which the function continues."),
    _relation("tested_late(use, test)", "The value that `use` needs is compared with null by `test` afterwards."),
    _relation("macro(f)", "`f` is a macro with parameters; its body replaces each use."),
    _relation("macro_left(p, v)", "Parameter `p` of a macro is `v` at the end of the macro."),
    _relation("macro_after(w, call, v)", "`w` is argument `v` of `call` after a macro that may have assigned it."),
    _relation("in_macro(use)", "`use` is written in a macro."),
    _relation("nullable_formal(v)", "Parameter `v` is declared nullable."),
    _relation("required_formal(v)", "Parameter `v` is declared not to be null."),
    _relation("nonnull(v)", "`v` was proved not null before it was read again."),
    _relation("assign(w, v)", "The value of `v` flows to `w`."),
    _relation("assign_object(w, v)", "`w` is `v` where it is not null: objects flow, null does not."),
    _relation("assign_null(w, v)", "`w` is null where `v` is: null flows, objects do not."),
    _relation(
        "converts(w, v, c)",
        "`w` is `v`, a pointer without a type, converted to a pointer to an object of class `c`.",
    ),
    _relation(
        "used_for(v, c)",
        "The result of a call or the content of an attribute, `v`, is used as a pointer to an object of class `c`.",
    ),
    _relation(
        "boxes(w, v)",
        "`w` is the pointer `v` converted to an interface, which is not null even if the pointer is.",
    ),
    _relation("plain(v)", "`v` holds a number or a string, or points to an object that contains no pointers."),
    _relation("untyped_result(f)", "`f` returns a pointer without a type."),
    _relation("untyped_field(name)", "Some attribute `name` is a pointer without a type."),
    _relation("member_of(w, t)", "`w` was read from a field of a structure of type `t`."),
    _relation("structure_name(t, s)", "`t` is another name of the structure `s`."),
    _relation("structure_member(t, name, s)", "Field `name` of structure `t` is, or points to, a structure `s`."),
    _relation("array_member(t, name)", "Field `name` of structure `t` is an array."),
    _relation("interior(w, v)", "`w` points into the object that `v` points to."),
    _relation("copies(w, v)", "The fields of the object of `v` are copied to the object of `w`."),
    _relation("initial_null(o, field, v)", "The variable at `o` is initialised with null `v` as its `field`."),
    _relation("phi(w, v, live)", "The value of `v` flows to `w` at a join, from code with control value `live`."),
    _relation("load(v, base, field)", "`v` is read from attribute `field` of `base`."),
    _relation(
        "store(base, field, v)", "`v` is written to attribute `field` of `base`; `[]` is any element, `{}` any key."
    ),
    _relation("subscript(v, base)", "`v` is an element of `base` at an unknown key."),
    _relation(
        "element(v, base, i:number)", "`v` is the element number `i` of `base`, by unpacking or a constant index."
    ),
    _relation("iterate(v, base)", "`v` is an item of the iteration over `base`."),
    _relation("tuple_item(o, i:number, v)", "The tuple `o` has `v` as its item number `i`."),
    _relation(
        "item_where(w, base, i:number, j:number, outcome)",
        "`w` is item number `i` of `base`, whose item number `j` was proved to be `outcome`: null, true or false.",
    ),
    _relation("tuple_truth(o, i:number, truth)", "Item number `i` of the tuple `o` is true, or false."),
    _relation("repeat(v, base)", "`v` is a sequence that repeats the elements of `base`."),
    _relation("super_of(v, c, receiver)", "`v` looks up attributes of `receiver` in the bases of class `c`."),
    # Versions of objects that a function makes or is passed, in the order of what it does to them.
    _relation(
        "version_made(t, v)",
        "Version `t` is that of the object `v` at its creation, before its constructor runs.",
    ),
    _relation("version_formal(t, v)", "Version `t` is that of the object that is passed as parameter `v`."),
    _relation("version_set(t, s, field)", "Version `t` is `s` with another `field`."),
    _relation("version_value(t, v)", "The new content of version `t` is `v`; without a row, it is a constant."),
    _relation(
        "version_call(t, s, call, v)",
        "Version `t` is the version after `call`, which was passed the object `v` in version `s`.",
    ),
    _relation("version_lost(t)", "Version `t` belongs to an object with a second name: it is not followed."),
    _relation("version_at(call, v, t)", "`call` is passed the object `v` in version `t`, else in its first."),
    _relation("version_read(v, t, field)", "`v` is `field` of an object in version `t`."),
    _relation("version_exit(f, v, t, live)", "The object of parameter `v` has version `t` when `f` is left."),
    _relation(
        "version_unknown(v)",
        "`v` is joined with other objects, or a parameter of a large function.",
    ),
    _relation("version_back(v)", "The function of parameter `v` returns it."),
    _relation("version_returned(f, v, t, live)", "`f` returns the object `v` that it has made, in version `t`."),
    _relation("actual_literal(call, i:number, text)", "Argument `i` of `call` is the constant `text`."),
    # Fields of a known object, followed like locals within a function.
    _relation("carry(w, v, field)", "`w` is the content `v` of an attribute `field` after some more calls."),
    _relation("carry_across(w, call)", "`call` lies between the two contents of `w`."),
    _relation("path_formal(f, v, field, w)", "`w` is attribute `field` of parameter `v` when `f` is entered."),
    _relation("path_actual(call, v, field, w)", "`w` is attribute `field` of argument `v` when `call` is made."),
    _relation("path_exit(f, v, field, w, live)", "`w` is attribute `field` of parameter `v` when `f` is left."),
    _relation("path_result(call, v, field, w)", "`w` is attribute `field` of argument `v` after `call`."),
    _relation("field_write(f, field)", "`f` writes an attribute `field`."),
    _relation("state_write(f, field)", "`f` writes an attribute `field` that holds a number or a boolean."),
    _relation("field_at_exit(f, c, field, v, live)", "Constructor `f` of class `c` leaves `v` in attribute `field`."),
    _relation(
        "written_late(c, field)",
        "Code other than constructors of `c` (of some class, if `?`) writes attribute `field`.",
    ),
    _relation(
        "attribute_left(base, field, v, live)",
        "At an exit of a function that writes attribute `field` of `base`, it holds `v`, of which the function knows "
        "nothing else.",
    ),
    _relation(
        "attribute_written(base, field, v)", "A function writes `v`, which may be null, to attribute `field` of `base`."
    ),
    _relation(
        "attribute_set(base, field)",
        "A function writes attribute `field` of `base` and leaves it non-null, or unknown.",
    ),
    _relation("found_null(v)", "`v` is null by a test of its function, which continues after it."),
    _relation("import_fallback(c, v)", "The shared variable `c` is the null `v` if an import fails."),
    _relation("variable_asked(c)", "Some code tests the shared variable `c`."),
    _relation("clears(f, base, field, v)", "Function `f` sets attribute `field` of `base` to the null `v`."),
    _relation(
        "field_keeps(f, field, v)",
        "When `f` is left, attribute `field` may still hold the null or parameter `v`.",
    ),
    _relation(
        "assigns_always(f, field)",
        "Wherever `f` ends without an exception, it has set attribute `field` of its receiver. Only of attributes that "
        "a class body of the file sets to null.",
    ),
    _relation("asks_parameter(f, p)", "Function `f` tests whether its parameter `p` is null."),
    _relation(
        "asks_path(f, path)",
        "Function `f` tests whether what it reads as `path` is null, such as `self.task`, `order.find()` or `rows[0]`.",
    ),
    _relation("uses_path(f, path, v)", "Function `f` uses `v`, which it reads as `path`, untested."),
    _relation(
        "doubts(f, v)",
        "Function `f` tests whether `v`, read from an attribute or a shared variable or returned by a call, is null.",
    ),
    _relation(
        "trusts(f, v)",
        "Function `f` uses `v`, read from an attribute or a shared variable or returned by a call, untested.",
    ),
    _relation(
        "optional_field(c, name, v)",
        "Attribute `name` of class `c` is annotated as optional, with the null `v`.",
    ),
    _relation("required_field(c, name)", "Attribute `name` of class `c` is annotated as never null."),
    _relation("declared_field(c, name, v)", "Field `name` of class `c` is declared to hold what `v` stands for."),
    _relation("starts_null(c)", "The shared variable `c` is null before anything is written to it."),
    _relation(
        "variable_null(c, v, when)",
        "The shared variable `c` is the null `v` before any function runs (`first`), or a function sets it (`later`).",
    ),
    _relation(
        "variable_left(c, v, live)",
        "At an exit of a function that writes the shared variable `c`, it holds `v`.",
    ),
    _relation("variable_after(w, call, c)", "`w` is the shared variable `c` after `call`, which always writes it."),
    _relation("variable_set(c)", "A function that writes the shared variable `c` leaves it non-null, or unknown."),
    _relation("path_shown(call, v, field)", "Attribute `field` of argument `v` was proved not null before `call`."),
    _relation("unknown_content(v)", "`v` is read from an attribute whose content its function does not know."),
    _relation("partly_known(v)", "`v` is read from an attribute whose content its function knows on some ways alone."),
    _relation(
        "unknown_before(v, call)",
        "`v` is read from an attribute whose content its function does not know, after `call`.",
    ),
    # Calls.
    _relation("call(call, f, live)", "`call` is in function `f`."),
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
        "Nothing reads the result of `call`: it is `stored` in a local variable, or else dropped (`needed`, `output`: "
        "the purpose of the library function's result).",
    ),
    _relation("valued(f)", "The result of `f` is not always the same."),
    _relation("pure(f)", "`f` has no effect but its result."),
    _relation("named(call)", "The result of `call` is bound to a name."),
    _relation("actual_kind(call, i:number, kind)", "Argument `i` of `call` is known to be a number, a String, ..."),
    _relation("result_kind(f, kind)", "`f` is declared to return a number, a String, ..."),
    _relation(
        "formal_kind(f, i:number, kind)",
        "Of overloads, `f` takes a number, a String, any number of Strings (`String...`), ... as argument `i`.",
    ),
    _relation("arguments(call, n:number)", "`call` passes exactly `n` arguments."),
    _relation("await(v, w)", "`v` is the result of awaiting `w`."),
    _relation("enter(v, w)", "`v` is the result of entering the context manager `w`."),
    # Control.
    _relation("control(w, v)", "Code with control value `w` is reached from code with control value `v`."),
    _relation("control_call(w, v, call)", "Code with control value `w` is reached from `v` once `call` returns."),
    _relation(
        "control_if(w, v, x, n:number, outcome)",
        "Code with control value `w` is reached from `v` if the number that `x` reads or returns is `n` (`other`).",
    ),
    _relation("scalar_field(c, name, n:number)", "Field `name` of class `c` is initialised with the number `n`."),
    _relation("scalar_result(f, n:number)", "Function `f` always returns the number `n`; nothing overrides it."),
    # Tests made by helpers.
    _relation("test(k, v, outcome)", "From `k` on, `v` is known to be true or false, or was tested."),
    _relation("test_after(k, before)", "Knowledge at `before` still holds at `k`."),
    _relation(
        "under_test(v, k)",
        "The attribute (or result of a method without parameters) `v` is read where `k` has tested its base.",
    ),
    _relation("implies(f, outcome, field)", "A result of `f` that is true (or false) means that `field` is not null."),
    _relation("searched(v)", "The null `v` is returned where a loop ends that returns something else within."),
    _relation("result(f, site)", "`f` returns the value of an expression at `site`."),
    # Ways out of a function, and what a call's result shows of them.
    _relation("exit(e, f, live)", "`f` is left at `e`."),
    _relation(
        "exit_result(e, low:number, high:number)",
        "The result lies between `low` and `high` (or in another such range of `e`) if a function is left at `e`.",
    ),
    _relation("exit_of_call(e, call)", "The result is that of `call` if a function is left at `e`."),
    _relation(
        "stands_for(n:number, m:number)",
        "In results, `n` represents `m`, a constant that another file may define, or a neighbour of one.",
    ),
    _relation("exit_shown(e, p)", "Parameter `p` is not null if its function is left at `e`."),
    _relation("exit_unknown(e, p)", "Parameter `p` may be null if its function is left at `e`."),
    _relation("exit_path(e, p, field, v)", "`field` of parameter `p` is `v` if its function is left at `e`."),
    _relation(
        "shown(w, call, v, low:number, high:number)",
        "`w` is argument `v` of `call`, whose result lies between `low` and `high` (or in another such range of `w`).",
    ),
    _relation(
        "path_result_when(call, v, field, w, low:number, high:number)",
        "`w` is attribute `field` of argument `v` after `call`, if its result lies between `low` and `high`.",
    ),
    _relation("left_only(p, truth)", "The function of parameter `p` returns only if `p` is true (or false)."),
    _relation(
        "shown_where(w, call, i:number, truth)",
        "`w` was proved not null before `call` if its argument number `i` is true (or false).",
    ),
    _relation(
        "promise(name, what, i:number)",
        "Function `name` is declared to keep the contract `what`, of parameter `i` if it has one.",
    ),
    # Objects that are freed.
    _relation("alive(t)", "`t` says that the function of a parameter has not freed the parameter's object."),
    _relation(
        "released(t, call, v, field)",
        "`t` says whether `call` has freed the object of argument `v` (its `field`).",
    ),
    _relation("released_before(t, s)", "`t` is the state of an object after a call, and `s` is its state before."),
    _relation("use_released(t)", "The object of `t` may have been freed before the call."),
    _relation("use_freed(site, t, kind, live)", "`site` uses an object; `t` says whether it was freed."),
    _relation(
        "freed_exit(f, p, field, t, live)",
        "`t` says whether `f` freed the object of parameter `p` (its `field`).",
    ),
    _relation("excessive(call)", "`call` requests more bytes than any object can have with 32-bit addresses."),
    _relation("outlives(site, o, live)", "`site` leaves the address of variable `o` in memory when its function ends."),
    _relation("same_object(call, i:number, j:number)", "Arguments `i` and `j` of `call` point into one object."),
    _relation("restrict(f, i:number, access)", "`f` reaches the object of parameter `i` through that parameter alone."),
    # Resources that calls may have opened.
    _relation(
        "resource_next(call, a, b, i:number)",
        "After `a`, the next call is `b`, which gets the result of `call` as argument `i` (-1: receiver; -2: `b` does "
        "not get it, but may not return).",
    ),
    _relation(
        "resource_left(call, a, exit)", "After `a`, the function is left at `exit`; the result of `call` is lost."
    ),
    _relation("resource_returned(call, a, f)", "After `a`, `f` returns the result of `call`."),
    # Uses.
    _relation("compares(site, v, method)", "`site` does not fail if `method` of its operand `v` accepts null."),
    _relation("passes_where(w, v, site)", "`w` is `v` after `site`, which did not fail."),
    _relation("receiver_use(site, call)", "At `site`, `call` needs its receiver."),
    _relation("dereference(site, v, kind, live)", "`site` fails if `v` is null; `kind` is the operation."),
    _relation("beside(site, v, i:number)", "At `site`, item number `i` of the items unpacked with `v` is not null."),
    _relation("handled(site)", "An exception at `site` is caught in the same function by a handler for everything."),
    _relation("ignored(site)", "That handler does nothing: control goes on behind it as if nothing had failed."),
    _relation("write(site, v, kind)", "`site` changes the object that `v` holds; `kind` is attribute or item."),
    _relation("iterates(loop, v)", "`loop` iterates over the elements of `v`."),
    _relation("in_loop(site, loop)", "The call or write `site` is in the body of `loop`, which continues after it."),
    _relation(
        "again(site, v, loop)", "Each round of `loop` uses the same object `v` at `site`, which was made before it."
    ),
    _relation("deletes(site, v)", "`site` deletes an element of `v`."),
    _relation(
        "renamed(site)", "`site` writes or takes what a shared variable holds, under the name of a local variable."
    ),
    # The library, from its models.
    _relation("lib_member(owner, name, entity)", "`entity` is member `name` of the module or class `owner`."),
    _relation("lib_class(c)", "`c` is a class of the library."),
    _relation("lib_function(f)", "`f` is a function or method of the library."),
    _relation("lib_base(c, base)", "The library's class `c` inherits, directly or not, from `base`."),
    _relation("lib_instance(o, c)", "The library's object `o` is an instance of `c`."),
    _relation("lib_object(c, o)", "`o` stands for any instance of the library's class `c`."),
    _relation("lib_value(e, o)", "The library's variable, attribute or property `e` holds `o`."),
    _relation("lib_value_nullable(e)", "The library's variable, attribute or property `e` may be null."),
    _relation("lib_returns(f, o)", "A call of the library's `f` returns `o`."),
    _relation("lib_returns_receiver(f)", "A call of the library's `f` returns its receiver."),
    _relation(
        "lib_returns_argument(f, i:number, name)",
        "A call of `f` may return its argument number `i`, named `name`.",
    ),
    _relation(
        "lib_returns_applied(f, i:number)",
        "A call of `f` may return the result of the function that is its argument `i`.",
    ),
    _relation("lib_returns_item(f)", "A call of `f` returns an element of its receiver."),
    _relation(
        "lib_returns_contents(f, i:number)",
        "A call of `f` returns a container of the elements of argument `i`; -1 is the receiver.",
    ),
    _relation("lib_needs(f, i:number)", "The library's `f`, which may return argument `i`, fails if that is null."),
    _relation(
        "lib_requires(f, n:number, i:number, name)",
        "A call of `f` with `n` arguments (-1: any number) fails if argument `i`, or that of this name, is null.",
    ),
    _relation("lib_takes_null(f)", "The library's `f`, which frees its argument, does nothing for null."),
    _relation("lib_returns_none(f)", "A call of the library's `f` always returns null."),
    _relation("lib_asynchronous(f)", "A call of the library's `f` makes a coroutine, which gives what `f` returns."),
    _relation("lib_fresh(f)", "A call of `f` returns a separate object, not the receiver or argument itself."),
    _relation("lib_new(f, c)", "A call of the library's `f` returns a new object of class `c`."),
    _relation(
        "lib_returns_argument_item(f, i:number, name)",
        "A call of `f` may return an element of its argument `i`, named `name`.",
    ),
    _relation("lib_appends(f, i:number)", "A call of `f` appends its argument number `i` to the receiver."),
    _relation(
        "lib_puts(f, i:number)",
        "A call of `f` puts its argument `i` into the receiver, at the key in argument 0.",
    ),
    _relation("lib_picks(f)", "A call of `f` returns the element of its receiver at the key in argument 0."),
    _relation("lib_asks(f)", "A call of `f` changes nothing and returns no part of its receiver."),
    _relation("lib_effects_unknown(f)", "Nothing is known of what a call of the library's `f` changes, or runs."),
    _relation("lib_stores(f, i:number)", "A call of `f` puts its argument number `i` into the receiver."),
    _relation(
        "lib_stores_contents(f, i:number)", "A call of `f` puts the elements of its argument `i` into the receiver."
    ),
    _relation("lib_nullable(f, n:number)", "A call of the library's `f` with `n` arguments may return null."),
    _relation("lib_present(f)", "No call of the library's `f` returns null."),
    _relation("lib_noreturn(f)", "A call of the library's `f` does not return."),
    _relation("lib_frees(f, i:number)", "A call of the library's `f` frees the object of its argument `i`."),
    _relation(
        "lib_moves(f, i:number)",
        "A call of `f` frees the object of its argument `i` if it can return a new object.",
    ),
    _relation("lib_apart(f, i:number, j:number)", "Arguments `i` and `j` of `f` must not overlap."),
    _relation("lib_item(o, e)", "Subscripting the library's object `o` returns `e`."),
    _relation("lib_iteration(o, e)", "Iterating over the library's object `o` returns `e`."),
    _relation("lib_changes(f, i:number)", "A call of the library's `f` changes its argument number `i`."),
    _relation("lib_repeats(f, i:number)", "A call of `f` returns a container with its argument `i` at many keys."),
    _relation("lib_iterated(f)", "Iterating over the result of `f` iterates over its receiver."),
    _relation("lib_iterates_copy(c)", "Iterating over an instance of the library's class `c` iterates over a copy."),
    _relation("lib_mutates(f)", "A call of the library's `f` changes its receiver."),
    _relation("lib_replaces(f)", "A call of the library's `f` changes its receiver and leaves its iterators valid."),
    _relation("lib_mutable(c)", "Instances of the library's class `c` are containers that can be changed."),
    _relation(
        "lib_copies_defaults(c)",
        "Each instance of a class derived from `c` has copies of the contents of its class body.",
    ),
    _relation("lib_owner(module, member, owner)", "`module` has `owner`, whose members models name, as `member`."),
    _relation(
        "lib_opens(module, member, closer)",
        "A call of `member` of `module` opens a resource, which `closer`, a method of it or a function, closes.",
    ),
    _relation(
        "lib_wraps(module, member)", "Closing the result of `member` of `module` closes the arguments of the call."
    ),
    _relation("lib_borrows(module, member)", "A call of `member` of `module` neither closes nor keeps its arguments."),
    _relation(
        "lib_views(module, member)", "The result of `member` of `module` keeps the arguments, and leaves them open."
    ),
    _relation("lib_stdlib(module)", "The library's models describe `module`."),
)

RELATIONS: dict[str, Relation] = {relation.name: relation for relation in _TABLE}


def markdown() -> str:
    """docs/facts.md."""
    lines = [
        "# Facts",
        "",
        "For authors of rules and of extractors: every relation that extractors can emit.",
        "`python -m pliant.extractors.schema` prints this page from `extractors/schema.py`.",
        "",
        "`v`, `w` and `base` are SSA values. A call is named by its value. `f` is a function, `c` a class,",
        "`o` an abstract object. `site` is an occurrence of an operation. `live` is a control value: the code with",
        "that value runs only if the control value is reached. Columns are symbols unless they are marked as numbers.",
        "",
        "| relation | meaning of a row |",
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
