"""Follow a query of `pliant serve`: python serve_client.py LOCATION TOKEN_FILE 'null_dereference(site, origin)'

It prints the answer as it is, and then what each commit takes out of it (-) and puts into it (+).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyarrow import flight


class Client:
    """A connection. Mistakes in a request are pyarrow.ArrowInvalid, with one line that says what is wrong."""

    def __init__(self, location: str, token: str, name: str = "serve_client.py") -> None:
        self._client = flight.FlightClient(location)
        headers = [(b"authorization", f"Bearer {token}".encode()), (b"client", name.encode())]
        self._options = flight.FlightCallOptions(headers=headers)

    def register(self, query: str, rules: str = "") -> dict[str, Any]:
        """The query's id, its columns, and the commit that the server is at."""
        return self._do("register", {"query": query, "rules": rules})

    def unregister(self, id: str) -> None:
        self._do("unregister", {"id": id})

    def follow(self, id: str, as_of: str = "") -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """What each batch is of (its commit, and whether it is the state there or what changed), and its rows."""
        for chunk in self._get({"id": id, "as_of": as_of}):
            yield json.loads(chunk.app_metadata.to_pybytes()), chunk.data.to_pylist()

    def about(self, query: str) -> list[dict[str, Any]]:
        """A query over what is maintained and what it costs."""
        rows: list[dict[str, Any]] = self._get({"about": query}).read_all().to_pylist()
        return rows

    def _do(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        [result] = self._client.do_action((name, json.dumps(request).encode()), self._options)
        found: dict[str, Any] = json.loads(result.body.to_pybytes())
        return found

    def _get(self, request: dict[str, Any]) -> Any:
        return self._client.do_get(flight.Ticket(json.dumps(request).encode()), self._options)


if __name__ == "__main__":
    location, token_file, query = sys.argv[1:]
    client = Client(location, Path(token_file).read_text(encoding="ascii").strip())
    for about, rows in client.follow(client.register(query)["id"]):
        print(about["commit"], "has" if about["state"] else "changes", f"{len(rows)} rows", flush=True)
        for row in rows:
            values = [str(value) for name, value in row.items() if name not in ("commit", "change")]
            print("+" if row["change"] > 0 else "-", "  ".join(values), flush=True)
