"""Writes ``docs/rules/rulebooks.md`` from the rulebooks and their words, or checks it.

``python -m tools.room25.rulebooks_doc --write`` writes it; ``--check`` exits with 1 if it differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import convert

from games.room25 import RULEBOOKS
from games.room25.model.cards import MADNESS, MOVEMENTS, PENALTIES
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.model.characters import CHARACTERS
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.package import GAME
from games.room25.telling.rulebook_types import RulebookCharacter, RulebookDescription
from games.room25.telling.traits import traits
from games.room25.words import WORDS
from games.words import ENGLISH
from tools.documents import Row, table, task_parser, write_or_check

ROOT: Final = Path(__file__).resolve().parents[2]
NAME: Final = "docs/rules/rulebooks.md"
NONE: Final = "–"
HERE: Final = "●"
BOOKS: Final = tuple(RULEBOOKS.values())
TOLD: Final[Mapping[str, RulebookDescription]] = {
    book.id: convert(GAME.published.rulebook(book.id, ENGLISH), RulebookDescription)
    for book in BOOKS
}
COLUMNS: Final = tuple(f"`{book.id}`" for book in BOOKS)
MODES: Final = tuple(dict.fromkeys(mode for book in BOOKS for mode in book.modes))

_INTRODUCTION: Final = """\
# The four rulebooks side by side

Made from the code by `python -m tools.room25.rulebooks_doc --write`; do not edit.
`GET /v1/rulebooks/{id}` has the same as data, in English, French and Polish;
the [digest](digest.md) tells it in prose.
"""


def by_seats(values: Mapping[int, object]) -> str:
    """``4: 8, 5–6: 10``: runs of player counts with one value are put together."""
    runs: list[tuple[int, int, object]] = []
    for seats, value in sorted(values.items()):
        if runs and runs[-1][1:] == (seats - 1, value):
            runs[-1] = (runs[-1][0], seats, value)
        else:
            runs.append((seats, seats, value))
    return ", ".join(f"{a if a == b else f'{a}–{b}'}: {value}" for a, b, value in runs)


def marked(texts: Iterable[str | None]) -> Iterator[tuple[str, list[str]]]:
    """Each different text of the four, and a mark for every rulebook that has it."""
    told = list(texts)
    for text in dict.fromkeys(told):
        if text is not None:
            yield text, [HERE if each == text else "" for each in told]


def of_modes(show: Callable[[Mode], str]) -> Iterator[Row]:
    """A row for each mode in which any rulebook shows something."""
    for name in MODES:
        cells = [show(book.modes[name]) if name in book.modes else "" for book in BOOKS]
        if any(cells):
            yield [
                WORDS.word(ENGLISH, f"room25/mode.{name}.name"),
                *(cell or NONE for cell in cells),
            ]


def _roles(mode: Mode) -> str:
    dealt = {n: f"{prisoners} + {guards}" for n, (prisoners, guards) in mode.roles.items()}
    for n, (prisoners, guards) in mode.other_roles.items():
        dealt[n] += f" or {prisoners} + {guards}"
    return by_seats(dealt)


def _particulars(mode: Mode) -> str:
    flags = {
        "alarm": mode.alarm,
        "a seat has a duo": mode.duos and max(mode.per_seat.values()) > 1,
        "cards every turn": mode.cards,
        "the key first": mode.needs_key,
        "no programming": not mode.programs,
        "open programmes": mode.open_programs,
        "free order": mode.free_order,
        "looks reveal": mode.looks_reveal,
    }
    return ", ".join(name for name, there in flags.items() if there)


def _modes() -> Iterator[str]:
    yield from ["## Modes", ""]
    for title, show in (
        ("Turns, by number of players:", lambda mode: by_seats(mode.turns)),
        ("Characters of each player, by number of players:", lambda m: by_seats(m.per_seat)),
        ("Teams, by number of players:", lambda mode: by_seats(mode.teams)),
        ("Prisoners + guards that are shuffled; each character gets one of them:", _roles),
        ("Particulars:", _particulars),
    ):
        yield from [title, "", *table(["mode", *COLUMNS], of_modes(show))]
    rows: list[Row] = []
    for name in MODES:
        abouts = [{m.id: m.about for m in TOLD[book.id].modes}.get(name) for book in BOOKS]
        title = WORDS.word(ENGLISH, f"room25/mode.{name}.name")
        rows += [[title, text, *marks] for text, marks in marked(abouts)]
    yield from ["How it is won and lost:", "", *table(["mode", "goal", *COLUMNS], rows)]


def _rules() -> Iterator[str]:
    rows: list[Row] = []
    for trait in traits(BOOKS[0]):
        texts = [{r.id: r.text for r in TOLD[book.id].rules}[trait.id] for book in BOOKS]
        rows += [[f"`{trait.id}`", text, *marks] for text, marks in marked(texts)]
    yield from ["## Rules that differ", "", *table(["rule", "as it is", *COLUMNS], rows)]


def _room(kind: str) -> str:
    return WORDS.word(ENGLISH, f"room25/room.{kind}.name")


def _rooms() -> Iterator[str]:
    yield from ["## Rooms", "", "Copies in the box; a line for each effect that a room has.", ""]
    rows: list[Row] = []
    for kind in ROOM_KINDS.values():
        effects = [{r.id: r.effect for r in TOLD[book.id].rooms}.get(kind.id) for book in BOOKS]
        for text, marks in marked(effects):
            copies = [b.box[kind.id] if mark else "" for b, mark in zip(BOOKS, marks, strict=True)]
            rows.append([_room(kind.id), f"`{kind.id}`", kind.color, text, *copies])
    total = ["**all**", "", "", "", *(sum(book.box.values()) for book in BOOKS)]
    yield from table(["room", "id", "colour", "effect", *COLUMNS], [*rows, total])


def _compositions() -> Iterator[str]:
    """Every list kind by kind; rulebooks with the same lists share a table."""
    yield from ["## Compositions", ""]
    groups: list[list[Rulebook]] = []
    for book in BOOKS:
        alike = next((g for g in groups if g[0].compositions == book.compositions), None)
        if alike is None:
            groups.append([book])
        else:
            alike.append(book)
    for group in groups:
        yield from [f"### {', '.join(f'`{book.id}`' for book in group)}", "", *_lists(group[0])]


def _lists(book: Rulebook) -> Iterator[str]:
    lists = book.compositions
    head = ["", *(f"`{name}`" for name in lists)]
    rows: list[Row] = [
        ["name", *(WORDS.word(ENGLISH, f"room25/composition.{name}.name") for name in lists)],
        ["for", *(_use(each.modes, each.guards) for each in lists.values())],
    ]
    for kind in ROOM_KINDS.values():
        counts = [each.rooms.get(kind.id, 0) for each in lists.values()]
        if any(counts):
            rows.append([_room(kind.id), *(count or NONE for count in counts)])
    for color in ("green", "yellow", "red"):
        counts = [each.fill.get(color, 0) for each in lists.values()]
        if any(counts):
            rows.append([f"*any {color}, drawn*", *(count or NONE for count in counts)])
    if any(each.never for each in lists.values()):
        never = [", ".join(_room(k) for k in each.never) for each in lists.values()]
        rows.append(["*never drawn*", *(names or NONE for names in never)])
    yield from table(head, rows)


def _use(modes: Sequence[str], guards: int | None) -> str:
    names = ", ".join(WORDS.word(ENGLISH, f"room25/mode.{mode}.name").lower() for mode in modes)
    return names if guards is None else f"{names} ({guards} guard{'s' * (guards > 1)})"


def _options() -> Iterator[str]:
    yield from ["## Options of a table", "", "The default, and the modes that have the option.", ""]
    rows: list[Row] = []
    for name in dict.fromkeys(option for book in BOOKS for option in book.options):
        about = WORDS.word(ENGLISH, f"room25/option.{name}.about")
        rows.append([f"`{name}`", about, *(_option(book, name) for book in BOOKS)])
    yield from table(["option", "what it decides", *COLUMNS], rows)


def _option(book: Rulebook, name: str) -> str:
    having = [mode.id for mode in book.modes.values() if name in mode.options]
    if not having:
        return NONE
    rule = book.options[name]
    if rule.default is None:
        value = "by mode" if rule.values else "none"
    elif isinstance(rule.default, bool):
        value = "on" if rule.default else "off"
    else:
        value = str(rule.default)
    where = "all modes" if len(having) == len(book.modes) else ", ".join(having)
    return f"{value}; {where}"


def _figures() -> Iterator[str]:
    """Actions, roles, characters and their abilities."""
    yield from ["## Actions, roles, characters", ""]
    rows: list[Row] = []
    for section in ("actions", "roles"):
        found = [{x.id: x for x in getattr(TOLD[book.id], section)} for book in BOOKS]
        for name in dict.fromkeys(each for things in found for each in things):
            texts = [things[name].about if name in things else None for things in found]
            title = next(things[name].name for things in found if name in things)
            rows += [[title, f"`{name}`", text, *marks] for text, marks in marked(texts)]
    yield from table(["action or role", "id", "what it does", *COLUMNS], rows)
    yield from table(["character", "duo", "base", "abilities", *COLUMNS], _characters())


def _characters() -> Iterator[Row]:
    for figure in CHARACTERS:
        known = [{c.id: c for c in TOLD[book.id].characters}.get(figure.id) for book in BOOKS]
        told = [None if each is None else _abilities(each) for each in known]
        name = WORDS.word(ENGLISH, f"room25/character.{figure.id}.name")
        for text, marks in marked(told):
            yield [name, figure.duo, figure.shape, text, *marks]


def _abilities(figure: RulebookCharacter) -> str:
    return "<br>".join(f"**{a.name}** (`{a.id}`): {a.effect}" for a in figure.abilities) or NONE


def _cards() -> Iterator[str]:
    having = ", ".join(f"`{book.id}`" for book in BOOKS if TOLD[book.id].cards)
    count = f"{len(MOVEMENTS)} movement, {len(PENALTIES)} penalty and {len(MADNESS)} madness cards"
    yield from ["## Cards", "", f"{count}, in {having}.", ""]
    cards = next(TOLD[book.id].cards for book in BOOKS if TOLD[book.id].cards)
    rows: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        rows.setdefault((card.name, card.effect), []).append(card.id)
    yield from table(
        ["cards", "name", "effect"],
        [[", ".join(ids), name, effect] for (name, effect), ids in rows.items()],
    )


def text() -> str:
    """The whole document."""
    parts = (_modes, _rules, _rooms, _compositions, _options, _figures, _cards)
    lines = [line for part in parts for line in part()]
    return _INTRODUCTION + "\n" + "\n".join(lines).rstrip("\n") + "\n"


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """The command line."""
    parser = task_parser("tools.room25.rulebooks_doc", __doc__)
    remedy = f"{parser.prog} --write"
    return write_or_check(parser, arguments, lambda: {NAME: text().encode()}, root, remedy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
