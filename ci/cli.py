"""The program: every way to end has one exit status, and none but --debug shows a traceback.

Nothing that takes time is imported here: an interrupt during start-up ends like any other. The commands are in
commands/app.py.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from pliant.ci.ending import Ended, arrived, by_default, listen
from pliant.ci.errors import UserError, visible
from pliant.ci.streams import prepare

NOT_DONE, INTERRUPTED = 2, 130
# Most of what start-up makes lives to the end: looking for cycles in it after each 700 objects, as Python does, is lost
# time. mypy has the same numbers.
_COLLECTION = (200_000, 30, 30)


def main() -> NoReturn:
    gc.set_threshold(*_COLLECTION)
    prepare()
    listen()
    sys.unraisablehook = _dropped
    status = 0
    try:
        status = _run()
        by = arrived()
    except BaseException as error:
        by = arrived(error)
        if by is None:
            raise
    _leave(status, by)


def _dropped(event: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised while an object is destroyed: an end that was asked for then comes again."""
    if not isinstance(event.exc_value, Ended):
        sys.__unraisablehook__(event)


def _leave(status: int, by: signal.Signals | None) -> NoReturn:
    """End with this status, or by this signal. What libraries registered for the end runs, but not the destruction of
    their native threads: Arrow's now and then abort the process there, after all is done and said."""
    by_default()
    if by == signal.SIGINT:
        _print_error("interrupted")
        status, by = INTERRUPTED, None
    elif by is not None and by != signal.SIGPIPE:
        _print_error(f"ended by {by.name}")
    atexit._run_exitfuncs()
    if by is not None:
        signal.signal(by, signal.SIG_DFL)
        os.kill(os.getpid(), by)
    os._exit(status)


def _run() -> int:
    try:
        from pliant.ci.commands.app import app

        status = app(prog_name="pliant", standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        return status if isinstance(status, int) else 0
    except (Exception, SystemExit) as error:
        if arrived(error) is not None:  # a clean-up has failed because of it
            raise
        return _told(error)


def _told(error: Exception | SystemExit) -> int:
    if isinstance(error, SystemExit):  # that is how a library ends for a broken pipe; an output's never gets to it
        _print_error("internal error: a process that was started for this run has ended early")
        return NOT_DONE
    if callable(show := getattr(error, "show", None)) and hasattr(error, "exit_code"):  # a wrong use
        return _misused(error, show)
    _show_where()
    if isinstance(error, UserError):
        reason = str(error)
    elif (too_large := _too_large(error)) is not None:
        reason = too_large
    elif isinstance(error, FileNotFoundError) and _is_nowhere():
        reason = "the current folder has been removed: go to one that is there, or give absolute paths"
    else:
        text = visible(" ".join(str(error).split()))
        reason = f"internal error: {type(error).__name__}: {text}; --debug shows where"
    _print_error(reason)
    return NOT_DONE


def _too_large(error: Exception) -> str | None:
    from pliant.engine import TooLarge

    if not isinstance(error, TooLarge):
        return None
    from pliant.ci.too_large import told

    return told(error)


def _is_nowhere() -> bool:
    from pathlib import Path

    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _show_where() -> None:
    if "--debug" in sys.argv[1:]:
        import traceback

        traceback.print_exc()


def _misused(error: Exception, show: Callable[[], None]) -> int:
    """The usage, unless nothing was asked for: then the help; the reason comes last."""
    reason = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    if context is None or not reason or type(error).__name__ == "NoArgsIsHelpError":
        show()
        return NOT_DONE
    sys.stderr.write(f"{context.get_usage()}\n{context.command_path} --help says more\n")
    name = getattr(error, "option_name", None)
    if any(name in each.opts for each in context.find_root().command.params):
        reason += f": it stands before the command, pliant {name} ... {context.info_name}"
    _print_error(" ".join(reason.replace("Value error, ", "").split()))  # the prefix is that of a library's exception
    return NOT_DONE


def _print_error(message: str) -> None:
    sys.stderr.write(f"pliant: {message}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
