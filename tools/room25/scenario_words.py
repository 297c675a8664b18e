"""Writes the words of scenarios into ``docs/scenarios.md`` from the code, or checks them.

``python -m tools.room25.scenario_words --write`` writes them; ``--check`` exits with 1 if they
differ.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.kernel import Audience, Event
from games.room25.editions import RULEBOOKS
from games.room25.model.catalogue import PRISONER
from games.room25.package import GAME
from games.room25.scenarios.bases import BASES
from games.room25.scenarios.option_words import ID_FORMS, OPTION_FORMS
from games.room25.scenarios.vocabulary import CAUSES, vocabulary
from games.scenarios import Base, Formed, Keyed, Members, Range, Term, Words
from replay.scenario.dialect import BEFORE, dialect_of
from tools.documents import Documents, task_parser, write_or_check
from tools.room25.rulebooks_doc import table

ROOT: Final = Path(__file__).resolve().parents[2]
NAME: Final = "docs/scenarios.md"
BEGIN: Final = (
    "<!-- from here on made by `python -m tools.room25.scenario_words --write`; do not edit -->\n"
)
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

DIALECT: Final = dialect_of(GAME)

_SECRET: Final = {Audience.EVERYONE: "", Audience.END: "‡"}


def words_text() -> str:
    """All that stands between the two marks, in Markdown: the words of each game."""
    return "\n".join(line for game, told in _TELLERS.items() for line in _words_of(game, told()))


def _words_of(game: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"### `{game}`\n"
    yield from lines


def _room25() -> Iterator[str]:
    yield from _bases()
    yield from _terms()
    yield from _causes()
    yield from _events()
    yield from _options()


def _bases() -> Iterator[str]:
    yield "#### Bases\n"
    rows = [
        [f"`{name}`", base.about, f"`{base.mode}`", str(base.seats), _seated(base)]
        for name, base in BASES.items()
    ]
    yield from table(["`base`", "What it is", "`mode`", "`seats`", "By seat"], rows)


def _seated(base: Base) -> str:
    """The characters of each seat, with the roles of those who are no prisoners."""
    seats: dict[int, list[str]] = {}
    for name, figure in base.situation["characters"].items():
        role = figure.get("role", PRISONER)
        told = f"`{name}`" + ("" if role == PRISONER else f" ({role})")
        seats.setdefault(figure["seat"], []).append(told)
    return "; ".join(", ".join(told) for told in seats.values())


def _terms() -> Iterator[str]:
    yield "#### Terms\n"
    yield from table(["Term", "Words"], [[f"*{name}*", text] for name, text in _all_terms()])


def _all_terms() -> Iterator[tuple[str, str]]:
    for name, term in sorted(vocabulary(tuple(RULEBOOKS), 8, None).terms.items()):
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
        for tag, kind in sorted(DIALECT.event_types.items())
        if kind not in BEFORE
    ]
    yield from table(["`type`", "Fields"], rows)


def _fields(tag: str, kind: type[Event]) -> str:
    told = []
    for field in msgspec.structs.fields(kind):
        mark = _SECRET.get(kind.audiences[field.name], "†")
        words = DIALECT.words_of(tag, field.encode_name)
        obvious = {field.encode_name, f"cause of {tag}"}
        plainly = words is None or (isinstance(words, str) and words in obvious)
        told.append(f"`{field.encode_name}`{mark}" + ("" if plainly else f" ({_shape(words)})"))
    return ", ".join(told)


def _shape(words: Words | None) -> str:
    """What a field holds, in a few words."""
    if isinstance(words, Formed):
        return f"{words.what}: {_listed(words.forms)}" if len(words.forms) <= FEW else words.what
    if isinstance(words, Members):
        return f"its {', '.join(f'`{name}`' for name in words.of)} …"
    if isinstance(words, Keyed):
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


_TELLERS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {GAME.rules.id: _room25}


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


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """The command line."""

    def documents() -> Documents:
        return {NAME: with_words((root / NAME).read_text(encoding="utf-8")).encode()}

    parser = task_parser("tools.room25.scenario_words", __doc__)
    return write_or_check(parser, arguments, documents, root, f"{parser.prog} --write")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
