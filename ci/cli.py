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
from types import FrameType
from typing import NoReturn

from pliant.ci.errors import UserError, visible
from pliant.ci.streams import Ended, prepare

NOT_DONE, INTERRUPTED = 2, 130
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_A_MOMENT = 0.01  # seconds


def main() -> NoReturn:
    prepare()
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:  # under nohup a hang-up is nothing
            signal.signal(number, _end)
    sys.unraisablehook = _dropped
    by = None
    try:
        status = _run()
    except KeyboardInterrupt:
        _by_default(signal.SIGINT)
        _print_error("interrupted")
        status = INTERRUPTED
    except Ended as ended:
        by, status = ended.by, 128 + ended.by
        if by != signal.SIGPIPE:
            _print_error(f"ended by {by.name}")
    _leave(status, by)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    by = signal.Signals(number)
    _by_default(by)
    raise Ended(by)


def _dropped(event: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised while an object is destroyed: an end that was asked for then comes again."""
    error = event.exc_value
    if not isinstance(error, (Ended, KeyboardInterrupt)):
        sys.__unraisablehook__(event)
        return
    again = error

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise again

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, _A_MOMENT)


def _by_default(by: signal.Signals) -> None:
    """Another such signal ends the process at once, without a word."""
    signal.signal(by, signal.SIG_DFL)


def _leave(status: int, by: signal.Signals | None) -> NoReturn:
    """End with this status, or by this signal. What libraries registered for the end runs, but not the destruction of
    their native threads: Arrow's now and then abort the process there, after all is done and said."""
    for number in (signal.SIGINT, *_ENDING):
        if callable(signal.getsignal(number)):
            _by_default(number)
    atexit._run_exitfuncs()
    if by is not None:
        _by_default(by)
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
    except UserError as error:
        _show_where()
        _print_error(str(error))
        return NOT_DONE
    except SystemExit:  # that is how the library ends for a broken pipe; those of outputs never get to it
        _print_error("internal error: a process that was started for this run has ended early")
        return NOT_DONE
    except Exception as error:
        if callable(show := getattr(error, "show", None)) and hasattr(error, "exit_code"):  # a wrong use
            return _misused(error, show)
        _show_where()
        if (too_large := _too_large(error)) is not None:
            _print_error(too_large)
            return NOT_DONE
        if isinstance(error, FileNotFoundError) and _is_nowhere():
            _print_error("the current folder has been removed: go to one that is there, or give absolute paths")
            return NOT_DONE
        reason = visible(" ".join(str(error).split()))
        _print_error(f"internal error: {type(error).__name__}: {reason}; --debug shows where")
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
    _print_error(" ".join(reason.replace("Value error, ", "").split()))  # the prefix is that of a library's exception
    return NOT_DONE


def _print_error(message: str) -> None:
    sys.stderr.write(f"pliant: {message}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
