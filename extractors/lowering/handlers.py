"""Tables of handlers: which function lowers a node, by the node's type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

Handler = TypeVar("Handler")


class Registrar(Protocol[Handler]):
    def __call__(self, *types: str) -> Callable[[Handler], Handler]: ...


def registrar(table: dict[str, Handler]) -> Registrar[Handler]:
    """A decorator that puts a handler into `table` under each of the types that it is given."""

    def of_types(*types: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            for kind in types:
                table[kind] = handler
            return handler

        return register

    return of_types
