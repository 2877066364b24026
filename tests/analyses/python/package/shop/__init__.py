"""A package whose name gives out what a module of it defines."""

from .lookup import find_order
from .lookup import find_order as find_alias

__all__ = ["find_order", "find_alias"]
