"""A signal that asks the program to end is an exception, so that everything tidies up; and it cannot be lost.

Code that runs when the signal comes may drop the exception: Python does where it destroys an object, libraries written
in C do where they take any error for "not there" (Arrow and NumPy while they are imported), and a clean-up that fails
puts its own error in its place.
"""

from __future__ import annotations

import signal
from types import FrameType
from typing import ClassVar, NoReturn

_BY_DEFAULT = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_DFL}
_A_MOMENT = 0.01  # seconds


class Ended(BaseException):
    """This process is to end by a signal, when it has tidied up."""

    def __init__(self, by: signal.Signals):
        super().__init__(by.name)
        self.by = by


class _Asked(Ended):
    """By a signal that came. When nobody holds it any more and it has not arrived, it comes again."""

    last: ClassVar[signal.Signals | None] = None  # the last that came
    arrived = False

    def __del__(self) -> None:
        if not self.arrived:
            signal.setitimer(signal.ITIMER_REAL, _A_MOMENT)


def listen() -> None:
    """From now on signals that would end this process raise `Ended`; one that is switched off stays so, as a hang-up
    is under nohup."""
    for number, default in _BY_DEFAULT.items():
        if signal.getsignal(number) is default:
            signal.signal(number, _end)


def arrived(error: BaseException | None = None) -> signal.Signals | None:
    """The signal that this process is to end by: as this error, behind it, or dropped before it."""
    by = _Asked.last
    while error is not None:
        if isinstance(error, _Asked):
            error.arrived = True
        if isinstance(error, Ended):
            by = error.by
        if isinstance(error, KeyboardInterrupt):  # of a library that has its own handler
            by = signal.SIGINT
        error = error.__context__
    return by


def by_default() -> None:
    """Another such signal ends the process at once, without a word."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number in _BY_DEFAULT:
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    _Asked.last = signal.Signals(number)
    signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, _again)
    raise _Asked(_Asked.last)


def _again(number: int, frame: FrameType | None) -> NoReturn:
    assert _Asked.last is not None
    raise _Asked(_Asked.last)


__all__ = ["Ended", "arrived", "by_default", "listen"]
