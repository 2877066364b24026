"""Model files of a user's own: what calls of a library give, in the form of the built-in ones in models/."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("python", "java", "c", "go")


class ModelError(ValueError):
    """A model file that cannot be used; the message names the file, the key and what was expected."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """name: what messages call the file. language: whose models it adds to. text: TOML. folder: of packages that are
    read as well; then the text is a comment that changes with them."""

    name: str
    language: str
    text: str
    folder: Path | None = None


def of(name: str, text: str) -> ModelFile:
    """The model file `name`, whose language its name tells: NAME.python.toml, for example. Raises ModelError."""
    for language in LANGUAGES:
        if name == f"{language}.toml" or name.endswith((f".{language}.toml", f"/{language}.toml")):
            return ModelFile(name, language, text)
    expected = " or ".join(f"NAME.{language}.toml" for language in LANGUAGES)
    raise ModelError(f"{name}: a model file is called {expected}, by the language whose libraries it tells of")
