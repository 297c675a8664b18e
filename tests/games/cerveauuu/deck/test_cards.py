"""The deck as a whole: 140 cards that differ, and a language of which nothing is idle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct

from games.cerveauuu.deck import CARDS
from games.cerveauuu.deck.notation import c, card, h, r, see, slot, z
from games.cerveauuu.model import language as words
from games.cerveauuu.model.language import WINDOWS, Card, Chosen, Pieces, Slot
from tests.games.cerveauuu.deck.rows import TEXT

PIECE = {"H", "Z", "X"}
FITTING: dict[str, set[str]] = {
    "own": {"Z", "P"},
    "other": {"Z", "P"},
    "mover": {"Z"},
    "fight": PIECE,
    "support": PIECE,
    "in": {*PIECE, "C"},
    "out": {*PIECE, "C"},
    "free": {"C"},
    "border": {"C"},
    "blk": PIECE,
    "spent": {"Z"},
    "ajar": {"D"},
    "shut": {"D"},
}
"""The kinds of slots that each filter can look at."""


def everything(value: object) -> Iterator[object]:
    """A value and whatever it is made of."""
    yield value
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from everything(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from everything(each)


PARTS = [part for each in CARDS.values() for part in everything((each.target, each.effect))]


def told(kind: Any, field: str) -> set[object]:
    """What the deck has in a field of the structs of a type."""
    return {getattr(part, field) for part in PARTS if isinstance(part, kind)}


def faults(each: Card) -> list[str]:
    """What a row asks of the wrong kind of slot, or of one that is not there."""
    kinds = {number: {one.kind} for number, one in enumerate(each.target, 1)}
    found = []
    for number, one in enumerate(each.target, 1):
        found += [f"{flag} of {one.kind}" for flag in one.flags if one.kind not in FITTING[flag]]
        for relation in one.relations:
            wanted = {"H"} if isinstance(relation, words.Sees) else {*PIECE, "C"}
            if relation.slot >= number or not kinds[relation.slot] <= wanted:
                found.append(f"slot {number} looks at {relation}")
    for part in everything(each.effect):
        found += [
            f"{part} of {kinds.get(number)}"
            for number, wanted in asked(part)
            if not kinds.get(number, {"nothing"}) <= wanted
        ]
    return found


def asked(part: object) -> Iterator[tuple[int, set[str]]]:
    """The slots that a part of an effect names, with the kinds that suit it."""
    match part:
        case words.Near(slot=number):
            yield number, {*PIECE, "C"}
        case words.Inside(slot=number) | words.Doors(slot=number):
            yield number, {"B"}
        case words.Beside(slot=number) | words.SetEdges(edges=Chosen(slot=number)):
            yield number, {"W", "D"}
        case words.At(slot=number) | words.FlagCell(cell=number) | words.Spawn(cell=number):
            yield number, {"C"}
        case words.Foes(slot=number) | words.Allies(slot=number):
            yield number, PIECE
        case words.TakeCard(seat=Chosen(slot=number)) | words.LookAtHand(seat=Chosen(slot=number)):
            yield number, {"P"}
        case words.DropCards(seats=Chosen(slot=number)):
            yield number, {"P"}
        case words.PlacePiece(on=on, cell=number):
            yield from ((on.slot, PIECE), (number, {"C"}))
        case words.Lure(cell=number):
            yield number, {"C"}
    chosen = getattr(part, "on", None)
    if isinstance(chosen, Chosen):
        yield chosen.slot, PIECE


def test_there_are_140_cards_each_under_its_id() -> None:
    assert list(CARDS) == [f"c{number:03}" for number in range(1, 141)]
    assert all(key == each.id for key, each in CARDS.items())


def test_the_types_are_as_many_as_the_rules_say() -> None:
    counts = Counter(each.type for each in CARDS.values())
    assert counts == {
        "end_credits": 8,
        "weather": 10,
        "media": 12,
        "firearm": 12,
        "weapon": 16,
        "vehicle": 10,
        "object": 20,
        "character": 20,
        "event": 32,
    }
    assert list(counts) == list(get_args(words.CardType)), "in the order of the table"


def test_end_credits_are_drawn_and_all_others_played() -> None:
    assert {each.type for each in CARDS.values() if not each.when} == {"end_credits"}
    assert not any(each.when for each in CARDS.values() if each.type == "end_credits")
    assert get_args(words.Window) == WINDOWS
    for each in CARDS.values():
        assert list(each.when) == sorted(each.when, key=WINDOWS.index), each.id
        assert len(set(each.when)) == len(each.when), each.id


def test_every_window_has_cards() -> None:
    counts = Counter(window for each in CARDS.values() for window in each.when)
    assert set(counts) == set(WINDOWS)
    assert all(count >= 30 for count in counts.values())


def test_no_two_cards_have_the_same_target_and_effect() -> None:
    counts = Counter((each.target, each.effect) for each in CARDS.values())
    assert [key for key, count in counts.items() if count > 1] == []


def test_a_row_asks_nothing_of_the_wrong_slot() -> None:
    assert {each.id: found for each in CARDS.values() if (found := faults(each))} == {}


@pytest.mark.parametrize(
    "planted",
    [
        card("event", "c141", "P", z(see(1)), words.Kill(Chosen(1))),
        card("event", "c141", "P", z(), h(see(1)), words.Kill(Chosen(2))),
        card("event", "c141", "P", h(), words.Kill(Chosen(2))),
        card("event", "c141", "P", c(), words.Kill(Chosen(1))),
        card("event", "c141", "P", h(), words.Spawn("human", 1)),
        card("event", "c141", "P", slot("B"), words.Block(words.Beside(1, Pieces("X")))),
        card("event", "c141", "P", h(), c(), words.PlacePiece(Chosen(2), 1)),
        card("event", "c141", "P", h("ajar"), words.Kill(Chosen(1))),
        card("event", "c141", "P", slot("W"), c(r(1, 3)), words.Kill(words.At(2))),
        card("event", "c141", "P", h(), words.TakeCard(Chosen(1))),
    ],
)
def test_a_row_that_does_is_found(planted: Card) -> None:
    assert len(faults(planted)) >= 1


def test_seats_have_the_stats_of_seats_and_pieces_those_of_pieces() -> None:
    for part in PARTS:
        if isinstance(part, words.ModifyStat):
            stats = words.SeatStat if isinstance(part.on, words.Seats) else words.PieceStat
            assert part.stat in get_args(stats)


def test_what_the_weather_does_lasts_as_long_as_it_and_nothing_else_does() -> None:
    for each in CARDS.values():
        lasting = {part.lasts for part in each.effect if hasattr(part, "lasts")}
        if each.type in {"weather", "end_credits"}:
            assert lasting <= {"weather" if each.type == "weather" else "lasting"}, each.id
        else:
            assert "weather" not in lasting, each.id


def test_what_lasts_for_a_combat_is_played_in_one() -> None:
    for each in CARDS.values():
        if any(getattr(part, "lasts", None) == "combat" for part in each.effect):
            assert each.when == ("combat",), each.id


def test_every_kind_of_word_is_used() -> None:
    used = {type(part) for part in PARTS}
    for union in (
        words.Effect,
        words.Relation,
        words.PieceSelector,
        words.SeatSelector,
        words.EdgeSelector,
    ):
        assert set(get_args(union)) - used == set()
    assert len(get_args(words.Effect)) == 24 + 1, "credits is one primitive and two types"


def test_every_filter_stat_and_state_is_used() -> None:
    assert told(Slot, "kind") == set(get_args(words.SlotKind))
    assert {flag for flags in told(Slot, "flags") for flag in told_of(flags)} == set(
        get_args(words.Flag)
    )
    assert told(Pieces, "kind") == set(get_args(words.PieceKind))
    assert told(words.ModifyStat, "stat") == {
        *get_args(words.PieceStat),
        *get_args(words.SeatStat),
    }
    assert told(words.ModifyStat, "lasts") == set(get_args(words.Duration))
    assert told(words.ModifyStat, "absolute") == {True, False}
    assert told(words.SetEdges, "state") == set(get_args(words.EdgeChange))
    assert told(words.FlagCell, "flag") == set(get_args(words.CellFlag))


def test_every_choice_of_a_primitive_is_used() -> None:
    for kind, field in (
        (words.SetTie, "right"),
        (words.Save, "cause"),
        (words.Spawn, "what"),
        (words.Trigger, "at"),
        (words.ChangeCombatants, "change"),
        (words.Seats, "who"),
    ):
        assert told(kind, field) == set(get_args(get_type_hints(kind)[field])), (kind, field)


def test_a_selector_asks_for_everything_but_one_own() -> None:
    """``own`` is in the language of §7, and no card needs it."""
    asked_for = {each for filters in told(Pieces, "filters") for each in told_of(filters)}
    assert asked_for == {*get_args(words.PieceFilter)} - {"own"}


def told_of(filters: object) -> tuple[object, ...]:
    assert isinstance(filters, tuple)
    return filters


def test_a_play_never_ends_in_two_cells_nor_names_two_sets_of_cards() -> None:
    for each in CARDS.values():
        assert sum(isinstance(part, words.TakeSteps) for part in each.effect) <= 1, each.id
        assert sum(isinstance(part, words.DropCards) for part in each.effect) <= 1, each.id


def test_a_card_says_what_goes_with_its_play() -> None:
    steps = {each.id: each.steps.steps for each in CARDS.values() if each.steps is not None}
    written = [line for line in TEXT.splitlines() if "step(" in line]
    assert list(steps) == [line.split(" | ")[0] for line in written]
    assert (steps["c059"], steps["c104"]) == (8, 3)
    drops = {each.id: each.drops for each in CARDS.values() if each.drops}
    assert drops == {"c040": 1, "c117": 2, "c129": 1, "c138": 2}


def test_a_slot_says_what_it_admits() -> None:
    assert {kind for kind in get_args(words.SlotKind) if Slot(kind).is_piece} == PIECE
    lifting = {each.id for each in CARDS.values() if any(one.lifts_immunity for one in each.target)}
    assert lifting == {"c093", "c120"}


def test_a_letter_that_is_no_window_is_refused() -> None:
    with pytest.raises(KeyError):
        card("event", "c141", "PX", h(), words.Kill(Chosen(1)))
