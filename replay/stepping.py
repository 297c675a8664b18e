"""Walking through a game in a terminal, version by version."""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Callable, Iterator
from typing import Final, TextIO

from projections.board import describe
from projections.board_text import board_text
from replay.chronicle import event_line
from replay.source import SourceError
from replay.viewing import Show, moment_names

_HELP: Final = "n next, p back, g N to version N, t N to {turn} N, q quit"

_ESCAPE = b"\x1b"
_ARROW = b"\x1b[C"
_ARROWS: Final = {_ARROW: "n", b"\x1b[B": "n", b"\x1b[D": "p", b"\x1b[A": "p"}
_ENDS: Final = frozenset({b"", b"\x04", b"\x00"})
_CLEAR = "\x1b[2J\x1b[H"
_LINE_BYTES = 64


def step(show: Show, commands: Iterator[str], write: Callable[[str], object]) -> None:
    """Show the first version, then what the commands ask for, until ``q`` or their end."""
    version = 1
    write(screen(show, version))
    for command in commands:
        word, _, number = command.strip().partition(" ")
        if word == "q":
            return
        try:
            version = _target(show, version, word or "n", number.strip())
        except SourceError as error:
            write(f"{error}\n")
            continue
        write(screen(show, version))


def _target(show: Show, version: int, word: str, number: str) -> int:
    """The version that a command leads to.

    Raises:
        SourceError: unknown command, or no such version or turn.
    """
    if word == "n":
        return min(version + 1, show.version)
    if word == "p":
        return max(version - 1, 1)
    if word in {"g", "t"} and number.isdecimal():
        return show.version_of(number if word == "g" else f"turn:{number}")
    raise SourceError(keys_of(show))


def keys_of(show: Show) -> str:
    """The keys, as shown in the prompt."""
    return _HELP.format(turn=show.texts.turn)


def screen(show: Show, version: int) -> str:
    """One version: the board, and the event that led to it."""
    moment = show.at(version)
    board = describe(
        show.game_registry, moment.state, moment_names(show, moment), settled=moment.settled
    )
    caption = f"{show.stream}, version {version} of {show.version}, as {show.who}"
    return f"{board_text(board, caption)}\n{event_line(show, moment)}\n{keys_of(show)}\n"


def typed_commands(stream: TextIO) -> Iterator[str]:
    """The commands of a file or pipe, one in each line; of a terminal, by single keys."""
    if not stream.isatty():
        yield from stream
        return
    while True:
        yield _key(stream)


def clearing(write: Callable[[str], object]) -> Callable[[str], object]:
    """A ``write`` that begins each screen at the top of a terminal."""
    return lambda text: write(_CLEAR + text)


def _key(stream: TextIO) -> str:
    """One command from the keyboard: an arrow, a letter, or ``g``/``t`` with a line after it."""
    number = stream.fileno()
    saved = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSADRAIN)  # keep what was typed ahead
        key = os.read(number, 1)
        if key == _ESCAPE and select.select([number], [], [], 0)[0]:
            key += os.read(number, len(_ARROW) - 1)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, saved)
    if key in {b"g", b"t"}:
        print(f"{key.decode()} ", end="", flush=True)
        return f"{key.decode()} {os.read(number, _LINE_BYTES).decode(errors='replace')}"
    if key in _ENDS:
        return "q"
    return _ARROWS.get(key) or key.decode(errors="replace").strip() or "n"
