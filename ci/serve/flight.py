"""The network side: Arrow Flight, with a token, on a Unix socket or on this machine's loopback.

    action register    {"query": "...", "rules": "..."}  ->  {"id": "...", "commit": "...", "columns": [...]}
    action unregister  {"id": "..."}
    get    {"id": "...", "as_of": "..."}                 ->  the state at a commit, then a batch for each commit
    get    {"about": "maintained(q, g, client, text, n)"} ->  a table

Whatever a client sends, it gets an answer of one line, and nobody else notices.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Final, TypeVar

import pyarrow as pa
from pyarrow import flight

from pliant.ci.errors import UserError, visible
from pliant.ci.serve.dataflow import Dataflow, Epoch, Query

_MOST_BYTES: Final = 1 << 20  # of a request
_BATCH: Final = 1 << 16  # rows
_NAME: Final = 80  # characters of what a client calls itself
T = TypeVar("T")


def _told(handler: Callable[..., T]) -> Callable[..., T]:
    """What is wrong with a request is told to the client in one line."""

    @wraps(handler)
    def wrapped(*arguments: Any) -> T:
        try:
            return handler(*arguments)
        except Exception as error:
            raise _answer(error) from None

    return wrapped


def _answer(error: Exception) -> Exception:
    """As a Flight error, which is sent without a traceback."""
    if isinstance(error, UserError):
        answer: Exception = flight.FlightServerError(str(error))
    else:
        text = visible(" ".join(str(error).split()))
        answer = flight.FlightInternalError(f"internal error: {type(error).__name__}: {text}")
    return answer


class _Token(flight.ServerMiddlewareFactory):  # type: ignore[misc]
    """Refuses calls without the token, before anything else of them is looked at."""

    def __init__(self, token: str):
        super().__init__()
        self._expected = f"Bearer {token}".encode()

    def start_call(self, info: Any, headers: dict[str, list[Any]]) -> _Caller:
        given = [value for name, values in headers.items() if name.lower() == "authorization" for value in values]
        sent = given[0] if len(given) == 1 else ""
        sent = sent if isinstance(sent, bytes) else str(sent).encode("utf-8", "replace")
        if not hmac.compare_digest(sent, self._expected):
            raise flight.FlightUnauthenticatedError("the header 'authorization: Bearer TOKEN' is expected")
        named = [value for name, values in headers.items() if name.lower() == "client" for value in values]
        return _Caller(str(named[0])[:_NAME] if named else "")


class _Caller(flight.ServerMiddleware):  # type: ignore[misc]
    def __init__(self, name: str):
        super().__init__()
        self.name = name


class Server(flight.FlightServerBase):  # type: ignore[misc]
    """It listens from when it is made, in threads of its own, until `shutdown`."""

    def __init__(self, location: str, token: str, dataflow: Dataflow):
        super().__init__(location, middleware={"token": _Token(token)})
        self._dataflow = dataflow

    @_told
    def do_action(self, context: Any, action: Any) -> Iterator[bytes]:
        asked = _request(action.body.to_pybytes() if action.body is not None else b"")
        if action.type == "register":
            caller = context.get_middleware("token").name or visible(context.peer())
            query = self._dataflow.register(caller, _text(asked, "query"), _text(asked, "rules", ""))
            columns = [
                {"name": name, "type": kind}
                for name, kind in zip(query.schema.columns, query.schema.kinds, strict=True)
            ]
            commit = self._dataflow.commit
            return iter([json.dumps({"id": query.id, "commit": commit, "columns": columns}).encode()])
        if action.type == "unregister":
            self._dataflow.unregister(_text(asked, "id"))
            return iter([b"{}"])
        raise UserError(f"the actions are register and unregister, and not {visible(action.type[:_NAME])}")

    def list_actions(self, context: Any) -> list[tuple[str, str]]:
        return [
            ("register", 'Maintain a query: {"query": BODY, "rules": TEXT}.'),
            ("unregister", 'Let go of a query: {"id": ID}.'),
        ]

    @_told
    def do_get(self, context: Any, ticket: Any) -> Any:
        asked = _request(ticket.ticket)
        if "about" in asked:
            return flight.RecordBatchStream(self._dataflow.about(_text(asked, "about")))
        query, epochs = self._dataflow.follow(_text(asked, "id"), _text(asked, "as_of", ""), context.is_cancelled)
        return flight.GeneratorStream(query.arrow, self._stream(query, epochs))

    def _stream(self, query: Query, epochs: Iterator[Epoch]) -> Iterator[tuple[pa.RecordBatch, pa.Buffer]]:
        """Each epoch is one batch or more; the last one of it says so."""
        try:
            for epoch in epochs:
                whole = self._dataflow.table(query, epoch)
                starts = range(0, max(whole.num_rows, 1), _BATCH)
                for start in starts:
                    said = {"commit": epoch.commit, "state": epoch.is_state, "last": start == starts[-1]}
                    yield whole.slice(start, _BATCH), pa.py_buffer(json.dumps(said).encode())
        except Exception as error:
            raise _answer(error) from None
        finally:
            if callable(close := getattr(epochs, "close", None)):
                close()


def _request(body: bytes) -> dict[str, Any]:
    if len(body) > _MOST_BYTES:
        raise UserError(f"the request has {len(body):,} bytes; at most {_MOST_BYTES:,} are read")
    try:
        found = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UserError("a request is a JSON object in UTF-8")
    return found


def _text(asked: dict[str, Any], name: str, default: str | None = None) -> str:
    value = asked.get(name, default)
    if not isinstance(value, str):
        raise UserError(f"the request needs {name}, a string")
    return value


__all__ = ["Server"]
