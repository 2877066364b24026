"""The program: every way to end has one exit status, and none but --debug shows a traceback.

Nothing that takes time is imported here: an interrupt during start-up ends like any other. The commands are in
commands/app.py.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

NOT_DONE, INTERRUPTED = 2, 130


def main() -> NoReturn:
    try:
        status = _run()
    except KeyboardInterrupt:
        # A second interrupt ends the process at once, without a word.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _print_error("interrupted")
        status = INTERRUPTED
    _leave(status)


def _leave(status: int) -> NoReturn:
    """End with this status. What libraries registered for the end runs, but not the destruction of their native
    threads: Arrow's now and then abort the process there, after all is done and said."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BrokenPipeError:
        status = status or NOT_DONE
    atexit._run_exitfuncs()
    os._exit(status)


def _run() -> int:
    # A source line or a file name may hold what the terminal's encoding has not.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    debug = "--debug" in sys.argv[1:]
    from pliant.ci.errors import UserError, visible

    try:
        from pliant.ci.commands.app import app

        status = app(prog_name="pliant", standalone_mode=False)
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        return status if isinstance(status, int) else 0
    except UserError as error:
        if debug:
            raise
        _print_error(str(error))
        return NOT_DONE
    except BrokenPipeError:
        # Whoever read the report has gone; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_DONE
    except Exception as error:
        if callable(show := getattr(error, "show", None)) and hasattr(error, "exit_code"):  # a wrong use
            return _misused(error, show)
        if debug:
            raise
        reason = visible(" ".join(str(error).split()))
        _print_error(f"internal error: {type(error).__name__}: {reason}; --debug shows where")
        return NOT_DONE


def _misused(error: Exception, show: Callable[[], None]) -> int:
    """The usage, unless nothing was asked for: then the help; the reason comes last."""
    reason = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    if context is None or not reason or type(error).__name__ == "NoArgsIsHelpError":
        show()
        return NOT_DONE
    sys.stderr.write(f"{context.get_usage()}\n{context.command_path} --help says more\n")
    _print_error(" ".join(reason.replace("Value error, ", "").split()))  # the prefix is that of a library's exception
    return NOT_DONE


def _print_error(message: str) -> None:
    sys.stderr.write(f"pliant: {message}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
