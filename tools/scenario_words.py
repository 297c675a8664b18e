"""Writes the words of scenarios into ``docs/scenarios.md`` from the code, or checks them.

``python -m tools.scenario_words --write`` writes them; ``--check`` exits with 1 if they differ.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.kernel import Audience, Event
from games.package import GamePackage
from games.registry import GAMES
from games.scenarios import Formed, Keyed, Members, Range, Term, Words
from games.words import ENGLISH
from replay.scenario.dialect import BEFORE, Dialect, dialect_of
from tools.documents import Documents, table, task_parser, write_or_check

ROOT: Final = Path(__file__).resolve().parents[1]
NAME: Final = "docs/scenarios.md"
BEGIN: Final = (
    "<!-- from here on made by `python -m tools.scenario_words --write`; do not edit -->\n"
)
END: Final = "<!-- up to here -->\n"
FEW: Final = 4
"""So many forms are told beside a field."""

MANY: Final = 30
"""Words of which there are more are described, not listed."""

SEATS: Final = 8
"""The most seats of any table."""

DESCRIBED: Final = {
    "seat": "1 to the number of seats",
    "decision": "those of the table of options below",
    "problem": "those of [problems.md](problems.md)",
}
"""Terms that every game has."""

CAUSE: Final = "cause of "
"""What the term of an event's causes begins with."""

_SECRET: Final = {Audience.EVERYONE: "", Audience.END: "‡"}


def words_text() -> str:
    """All that stands between the two marks, in Markdown: the words of each game."""
    return "\n".join(line for game in GAMES.values() for line in _Teller(game).lines())


class _Teller:
    """Tells the words of one game."""

    def __init__(self, game: GamePackage) -> None:
        self.game = game
        self.told = game.scenarios
        self.dialect: Dialect = dialect_of(game)
        books = [str(book["id"]) for book in game.published.rulebooks(ENGLISH)]
        self.terms = self.told.vocabulary(books, SEATS, None).terms

    def lines(self) -> Iterator[str]:
        yield f"### `{self.game.rules.id}`\n"
        yield from self._bases()
        yield from self._terms()
        yield from self._causes()
        yield from self._events()
        yield from self._options()

    def _bases(self) -> Iterator[str]:
        yield "#### Bases\n"
        rows = [
            [f"`{name}`", base.about, f"`{base.mode}`", str(base.seats), base.told]
            for name, base in self.told.bases.items()
        ]
        yield from table(["`base`", "What it is", "`mode`", "`seats`", "Who is there"], rows)

    def _terms(self) -> Iterator[str]:
        yield "#### Terms\n"
        rows = [
            [f"*{name}*", DESCRIBED.get(name) or _described(name, term)]
            for name, term in sorted(self.terms.items())
            if not name.startswith(CAUSE)
        ]
        yield from table(["Term", "Words"], rows)

    def _causes(self) -> Iterator[str]:
        yield "#### Causes\n"
        rows = [
            [f"`{name.removeprefix(CAUSE)}`", _described(name, term)]
            for name, term in sorted(self.terms.items())
            if name.startswith(CAUSE)
        ]
        yield from table(["Event", "`cause`"], rows)

    def _events(self) -> Iterator[str]:
        yield "#### Events and their fields\n"
        rows = [
            [f"`{tag}`", self._fields(tag, kind) or "–"]
            for tag, kind in sorted(self.dialect.event_types.items())
            if kind not in BEFORE
        ]
        yield from table(["`type`", "Fields"], rows)

    def _fields(self, tag: str, kind: type[Event]) -> str:
        told = []
        for field in msgspec.structs.fields(kind):
            mark = _SECRET.get(kind.audiences[field.name], "†")
            words = self.dialect.words_of(tag, field.encode_name)
            obvious = {field.encode_name, f"{CAUSE}{tag}"}
            plainly = words is None or (isinstance(words, str) and words in obvious)
            told.append(f"`{field.encode_name}`{mark}" + ("" if plainly else f" ({_shape(words)})"))
        return ", ".join(told)

    def _options(self) -> Iterator[str]:
        yield "#### Options and the ids of decisions\n"
        forms, long = self.told.forms, dict[str, tuple[str, ...]]()
        rows = [
            [f"`{kind}`", _listed(_in_short(ids, long)), f"`{forms.decisions[kind]}`"]
            for kind, ids in sorted(forms.options.items())
        ]
        yield from table(["Kind of decision", "Its options", "Its id"], rows)
        if long:
            yield "Options that begin alike, whatever the kind; the branches to them go as far:\n"
            yield from table(
                ["Option", "Forms"], [[f"`{head}`", _listed(ids)] for head, ids in long.items()]
            )


def _in_short(forms: Sequence[str], long: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """The forms of leaves; those of which many begin alike are put into ``long``."""
    leaves = [form for form in forms if not any(_is_below(other, form) for other in forms)]
    heads: dict[str, list[str]] = {}
    for form in leaves:
        heads.setdefault(re.split(r"\.(?![^{]*\})", form)[0], []).append(form)
    for head, begun in heads.items():
        if len(begun) <= FEW:
            yield from begun
        else:
            known = long.get(f"{head}.…", ())
            long[f"{head}.…"] = tuple(dict.fromkeys((*known, *begun)))
            yield f"{head}.…"


def _is_below(form: str, branch: str) -> bool:
    return form.startswith(f"{branch}.")


def _described(name: str, term: Term | Range) -> str:
    if isinstance(term, Range):
        return f"{term.least} and more" if term.most is None else f"{term.least} to {term.most}"
    if term.told:
        return term.told
    if len(term.words) > MANY:
        raise ValueError(f"describe {name}: it has {len(term.words)} words")
    return _listed(term.words)


def _shape(words: Words | None) -> str:
    """What a field holds, in a few words."""
    if isinstance(words, Formed):
        return f"{words.what}: {_listed(words.forms)}" if len(words.forms) <= FEW else words.what
    if isinstance(words, Members):
        return f"its {', '.join(f'`{name}`' for name in words.of)} …"
    if isinstance(words, Keyed):
        return f"*{words.keys}*" + ("" if words.values is None else f" → {_shape(words.values)}")
    return f"*{words}*"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" if word else "no text" for word in words)


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

    parser = task_parser("tools.scenario_words", __doc__)
    return write_or_check(parser, arguments, documents, root, f"{parser.prog} --write")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
