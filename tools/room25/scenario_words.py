"""Writes the words of scenarios into ``docs/scenarios.md`` from the code, or checks them.

``python -m ops.scenario_words --write`` writes them; ``--check`` exits with 1 if they differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.kernel import Audience, Event
from games.room25 import ROOM25
from games.room25.editions import RULEBOOKS
from ops.rulebooks_doc import table
from replay.scenario import format as fm
from replay.scenario.event_words import BEFORE, EVENT_TYPES, Facts, Formed, Table, Words, words_of
from replay.scenario.option_words import ID_FORMS, OPTION_FORMS
from replay.scenario.vocabulary import CAUSES, Range, Term, Vocabulary

ROOT: Final = Path(__file__).resolve().parent.parent
NAME: Final = "docs/scenarios.md"
BEGIN: Final = "<!-- from here on made by `python -m ops.scenario_words --write`; do not edit -->\n"
END: Final = "<!-- up to here -->\n"
FEW: Final = 4
"""So many forms are told beside a field."""

MANY: Final = 30
"""Words of which there are more are described, not listed."""

DESCRIBED: Final = {
    "cell": "`r0c0` to `r4c4`",
    "other cell": "`r0c0` to `r4c4`, but not `r2c2`",
    "neighbours": "two adjacent cells, such as `r0c0:r0c1` and `r0c0:r1c0`",
    "pair": "two cells with a neighbour in common, such as `r0c0:r0c2` and `r0c1:r1c0`",
    "decision": "those of the table of options below",
    "problem": "those of [problems.md](problems.md)",
    "card": "`M01` to `M32`, `P1` to `P7`, `Z01` to `Z19`",
}

_SECRET: Final = {Audience.EVERYONE: "", Audience.END: "‡"}


def words_text() -> str:
    """All that stands between the two marks, in Markdown: the words of each game."""
    return "\n".join(line for game, told in _TELLERS.items() for line in _words_of(game, told()))


def _words_of(game: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"### `{game}`\n"
    yield from lines


def _room25() -> Iterator[str]:
    yield from _terms()
    yield from _causes()
    yield from _events()
    yield from _options()


def _terms() -> Iterator[str]:
    yield "#### Terms\n"
    yield from table(["Term", "Words"], [[f"*{name}*", text] for name, text in _all_terms()])


def _all_terms() -> Iterator[tuple[str, str]]:
    everything = fm.Scenario(
        id="X-ALL",
        title="Every rulebook at once",
        cites=("§1",),
        rulebooks=tuple(RULEBOOKS),
        mode="",
        seats=8,
    )
    for name, term in sorted(Vocabulary(everything).terms.items()):
        if not name.startswith("cause of "):
            yield name, DESCRIBED.get(name) or _described(name, term)


def _described(name: str, term: Term | Range) -> str:
    if name == "seat":
        return "1 to the number of seats"
    if isinstance(term, Range):
        return f"{term.least} and more" if term.most is None else f"{term.least} to {term.most}"
    if len(term.words) > MANY:
        raise ValueError(f"describe {name}: it has {len(term.words)} words")
    return _listed(term.words)


def _causes() -> Iterator[str]:
    yield "#### Causes\n"
    yield from table(
        ["Event", "`cause`"],
        [[f"`{tag}`", _listed(words)] for tag, words in sorted(CAUSES.items())],
    )


def _events() -> Iterator[str]:
    yield "#### Events and their fields\n"
    rows = [
        [f"`{tag}`", _fields(tag, kind) or "–"]
        for tag, kind in sorted(EVENT_TYPES.items())
        if kind not in BEFORE
    ]
    yield from table(["`type`", "Fields"], rows)


def _fields(tag: str, kind: type[Event]) -> str:
    told = []
    for field in msgspec.structs.fields(kind):
        mark = _SECRET.get(kind.audiences[field.name], "†")
        words = words_of(tag, field.encode_name)
        obvious = {field.encode_name, f"cause of {tag}"}
        plainly = words is None or (isinstance(words, str) and words in obvious)
        told.append(f"`{field.encode_name}`{mark}" + ("" if plainly else f" ({_shape(words)})"))
    return ", ".join(told)


def _shape(words: Words | None) -> str:
    """What a field holds, in a few words."""
    if isinstance(words, Formed):
        return f"{words.what}: {_listed(words.forms)}" if len(words.forms) <= FEW else words.what
    if isinstance(words, Facts):
        return f"its {', '.join(f'`{name}`' for name in words.of)} …"
    if isinstance(words, Table):
        return f"*{words.keys}*" + ("" if words.values is None else f" → {_shape(words.values)}")
    return f"*{words}*"


def _options() -> Iterator[str]:
    yield "#### Options and the ids of decisions\n"
    rows = [
        [f"`{kind}`", _listed(forms), f"`{ID_FORMS[kind]}`"]
        for kind, forms in sorted(OPTION_FORMS.items())
    ]
    yield from table(["Kind of decision", "Its options", "Its id"], rows)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" if word else "empty" for word in words)


_TELLERS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {ROOM25.id: _room25}


def with_words(text: str) -> str:
    """The page with the words as the code has them.

    Raises:
        ValueError: the marks are not there.
    """
    before, found, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise ValueError(f"{NAME} has lost its marks")
    return f"{before}{BEGIN}\n{words_text()}{END}{after}"


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the page; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ops.scenario_words", description=__doc__)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--write", action="store_true", help="write the page")
    way.add_argument("--check", action="store_true", help="fail if it differs")
    options = parser.parse_args(argv)
    path = ROOT / NAME
    is_now = path.read_text(encoding="utf-8")
    wanted = with_words(is_now)
    if options.write:
        path.write_text(wanted, encoding="utf-8")
        return 0
    if is_now != wanted:
        print(f"{NAME} is not what the code says: python -m ops.scenario_words --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
