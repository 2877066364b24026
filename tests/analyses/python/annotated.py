"""Type annotations."""

from __future__ import annotations

import typing
from typing import Optional, Union


class Order:
    def __init__(self, name: str) -> None:
        self.name = name

    def parent(self) -> Order | None:
        return self._parent()

    def _parent(self): ...


def optional_bad(order: Optional[Order]) -> str:
    return order.name  # null.attribute


def optional_ok(order: Optional[Order]) -> str:
    if order is None:
        return ""
    return order.name


def union_with_none_bad(order: Order | None) -> str:
    return order.name  # null.attribute


def none_first_bad(order: None | Order) -> str:
    return order.name  # null.attribute


def typing_union_bad(order: Union[Order, str, None]) -> str:
    return order.name  # null.attribute


def typing_optional_bad(order: typing.Optional[Order]) -> str:
    return order.name  # null.attribute


def quoted_bad(order: "Optional[Order]") -> str:
    return order.name  # null.attribute


def quoted_union_bad(order: "Order | None") -> str:
    return order.name  # null.attribute


def quoted_part_bad(order: Optional["Order"]) -> str:
    return order.name  # null.attribute


def plain_ok(order: Order) -> str:
    return order.name


def any_ok(order: typing.Any) -> str:
    return order.name


def object_ok(order: object, items: list[Order | None]) -> int:
    return len(items) + hash(order)


def annotated_type_bad(order: typing.Annotated[Order | None, "doc"]) -> str:
    return order.name  # null.attribute


def find(name: str) -> Order | None: ...


def find_sure(name: str) -> Order: ...


def declared_result_bad() -> str:
    return find("a").name  # null.attribute


def declared_result_ok() -> str:
    return find_sure("a").name


def declared_method_bad(order: Order) -> str:
    return order.parent().name  # null.attribute


def declared_method_checked_ok(order: Order) -> str:
    parent = order.parent()
    return parent.name if parent else ""


def chained_method_bad(order: Order) -> str:
    parent = order.parent()
    if parent is None:
        return ""
    return parent.parent().name  # null.attribute


def default_none_bad(order: Order = None) -> str:
    return order.name  # null.attribute


def literal_ok(mode: typing.Literal["a", None] = "a") -> str:
    if mode is None:
        return ""
    return mode.upper()


def callable_ok(callback: typing.Callable[[str], None]) -> None:
    callback("a")


def callable_optional_bad(callback: typing.Callable[[str], None] | None) -> None:
    callback("a")  # null.call


def iterable_optional_bad(names: list[str] | None) -> None:
    for name in names:  # null.iteration
        print(name)


def none_result() -> None:
    print("a")


def none_result_bad() -> str:
    return none_result().upper()  # null.attribute


def never() -> typing.NoReturn:
    raise ValueError


def noreturn_ok(order: Order | None) -> str:
    if order is None:
        never()
    return order.name


@typing.overload
def get(name: str) -> str: ...
@typing.overload
def get(name: None) -> None: ...
def get(name):
    if name is None:
        return None
    return name.upper()


def overloaded_ok() -> str:
    return get("a").upper()


def variable_annotation_bad(name: str) -> str:
    order: Order | None = find(name)
    return order.name  # null.attribute


def variable_declared_ok(name: str) -> str:
    order: Order | None = None
    if name:
        order = Order(name)
    if not order:
        return ""
    return order.name


def cast_ok(order: Order | None) -> str:
    return typing.cast(Order, order).name


T = typing.TypeVar("T")


def generic(value: T) -> T:
    return value


def generic_ok(order: Order) -> str:
    return generic(order).name


def generic_bad(order: Order | None) -> str:
    return generic(order).name  # null.attribute


Maybe = Optional[Order]


def fn_alias(order: Maybe) -> str:
    return order.name  # missed: null.attribute


def type_guard(value: object) -> typing.TypeGuard[str]:
    return isinstance(value, str)


class Holder:
    order: Order | None
    sure: Order

    def __init__(self) -> None:
        self.sure = Order("a")

    def sure_ok(self) -> str:
        return self.sure.name

    def field_ok(self) -> str:
        return self.order.name


def argument_of_declared_ok() -> str:
    return plain_ok(find_sure("a"))


def nested_optional_bad(order: Optional[Optional[Order]]) -> str:
    return order.name  # null.attribute


def star_ok(*orders: Order | None) -> int:
    return len(orders)


def say_nothing() -> None:
    pass


class Silent:
    def say(self) -> None:
        pass


def result_of_procedure_bad():
    return say_nothing() + 1  # null.operator


def result_of_method_ok(silent: Silent):
    return silent.say() + 1
