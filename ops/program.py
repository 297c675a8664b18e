"""``parlour``: one command for everything that runs.

==========  ===========================================================================
``run``     the whole service on one machine, with a store of its own (``ops.run``)
``serve``   one API process (``service``)
``clock``   the clock process (``workers``)
``work``    one worker process (``workers``)
``ship``    the process that copies the store into the journal (``workers``)
``replay``  look at games, and verify them (``replay``)
``store``   which store it is, and accepting it as it is (``ops.store_command``)
``journal`` what the journal has, and deciding on games of two branches (``ops.journal_command``)
==========  ===========================================================================

In a clone it is ``python -m ops.program``; each part also runs as ``python -m`` its package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from events.version import VERSION

_USAGE: Final = """\
usage: parlour COMMAND …

  run      start everything on this machine, on a store of its own
  serve    start one API process
  clock    start the clock process
  work     start one worker process
  ship     start the process that copies the store into the journal
  replay   look at games, and verify them
  store    tell which store it is, or accept it as it is
  journal  compare the journal with the store, or decide on a game that is held

parlour COMMAND --help tells more; parlour --version tells the version.
"""
_WRONG: Final = 2


def _run(arguments: Sequence[str]) -> int:
    from ops.run import main  # noqa: PLC0415 (each part loads only what it needs)

    return main(arguments)


def _serve(arguments: Sequence[str]) -> int:
    from service.__main__ import main  # noqa: PLC0415 (as above)

    return main(arguments)


def _worker(what: str, arguments: Sequence[str]) -> int:
    from workers.__main__ import main  # noqa: PLC0415 (as above)

    return main([what, *arguments])


def _replay(arguments: Sequence[str]) -> int:
    from replay.__main__ import main  # noqa: PLC0415 (as above)

    return main(arguments)


def _store(arguments: Sequence[str]) -> int:
    from ops.store_command import main  # noqa: PLC0415 (as above)

    return main(arguments)


def _journal(arguments: Sequence[str]) -> int:
    from ops.journal_command import main  # noqa: PLC0415 (as above)

    return main(arguments)


COMMANDS: Final[Mapping[str, Callable[[Sequence[str]], int]]] = {
    "run": _run,
    "serve": _serve,
    "clock": partial(_worker, "clock"),
    "work": partial(_worker, "work"),
    "ship": partial(_worker, "ship"),
    "replay": _replay,
    "store": _store,
    "journal": _journal,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code, or 2 if there is no such command."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    match arguments:
        case ["--version"]:
            sys.stdout.write(f"parlour {VERSION}\n")
            return 0
        case ["--help" | "-h"]:
            sys.stdout.write(_USAGE)
            return 0
        case [name, *rest] if name in COMMANDS:
            return COMMANDS[name](rest)
        case [name, *_]:
            sys.stderr.write(f"parlour: there is no command {name!r}\n\n{_USAGE}")
        case _:
            sys.stderr.write(_USAGE)
    return _WRONG


if __name__ == "__main__":
    sys.exit(main())
