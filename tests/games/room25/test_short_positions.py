"""Positions in short: each base, each fact of a character and each mark of a tile."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.contract import TableOpening
from games.room25 import ROOM25, RULEBOOKS
from games.room25.opening.situation import GivenCharacter, GivenTile, Situation
from games.room25.scenarios.bases import BASES
from games.room25.scenarios.short_positions import (
    FLAGS,
    LISTS,
    MARKS,
    NUMBERS,
    WORDS,
    BasedSituation,
    spread,
)
from games.scenarios import ShorthandError

Json = dict[str, Any]


def laid(characters: str = "", tiles: str = "", base: str = "four-suspects") -> Situation:
    """The position in full, as a scenario table takes it."""
    short = BasedSituation(base=base, characters=characters, tiles=tiles)
    return msgspec.convert(spread(short), Situation)


@pytest.mark.parametrize("name", BASES)
def test_every_base_is_a_table_that_can_be_opened(name: str) -> None:
    base = BASES[name]
    figures = base.situation["characters"]
    guards = [figure for figure in figures if figures[figure].get("role") == "guard"]
    opened = []
    for rulebook, book in RULEBOOKS.items():
        if base.mode in book.modes and base.seats in book.modes[base.mode].per_seat:
            named = zip(guards, book.identities, strict=False)  # each guard of a prototype is one
            text = "; ".join(f"{guard} identity={identity}" for guard, identity in named)
            position = spread(BasedSituation(base=name, characters=text))
            wish = TableOpening(
                rulebook=rulebook,
                mode=base.mode,
                seats=base.seats,
                options={},
                situation=dict(position),
            )
            opened.append(ROOM25.open(wish).rulebook)
    assert "first_edition" in opened


def test_a_base_is_told_by_its_differences() -> None:
    plain = laid()
    changed = laid("kevin r1c2 dead", "r1c2=acid")
    assert changed.characters["kevin"] == GivenCharacter(
        seat=2, role="prisoner", cell="r1c2", dead=True
    )
    others = {name: c for name, c in changed.characters.items() if name != "kevin"}
    assert others == {name: c for name, c in plain.characters.items() if name != "kevin"}
    assert (plain.tiles, changed.tiles) == ({}, {"r1c2": "acid"})


def test_whoever_is_named_with_all_others_sits_in_this_order() -> None:
    seated = laid("sarah r1c1; kevin; emmett; franck role=prisoner").characters
    assert {name: c.seat for name, c in seated.items()} == {
        "sarah": 1, "kevin": 2, "emmett": 3, "franck": 4,
    }  # fmt: skip
    assert [c.role for c in seated.values()] == ["prisoner"] * 4
    solo = laid("max; alice; sarah; bruce", base="one-alone").characters
    assert {name: c.seat for name, c in solo.items()} == dict.fromkeys(solo, 1)
    pairs = laid("max; alice; sarah; bruce", base="two-rivals").characters
    assert {name: c.seat for name, c in pairs.items()} == {
        "max": 1, "alice": 1, "sarah": 2, "bruce": 2,
    }  # fmt: skip


def test_every_fact_of_a_character_can_be_told() -> None:
    named = {*FLAGS, *LISTS, *NUMBERS, *WORDS, "cell"}
    assert named == set(GivenCharacter.__struct_fields__)
    for flag in FLAGS:
        assert getattr(laid(f"kevin {flag}").characters["kevin"], flag) is True
    for number in NUMBERS:
        assert getattr(laid(f"kevin {number}=2").characters["kevin"], number) == 2
    for fact in LISTS:
        listed = "r0c0+r0c1" if fact == "looked" else "look+move"
        assert getattr(laid(f"kevin {fact}={listed}").characters["kevin"], fact) == tuple(
            listed.split("+")
        )
        assert getattr(laid(f"kevin {fact}=").characters["kevin"], fact) == ()
    for word in WORDS:
        value = "spent" if word == "adrenaline" else "guard"
        assert getattr(laid(f"kevin {word}={value}").characters["kevin"], word) == value


def test_every_mark_of_a_tile_can_be_told() -> None:
    facts = {name for name, _ in MARKS.values()} | {"kind", "reminders"}
    assert facts == set(GivenTile.__struct_fields__)
    for mark, (fact, value) in MARKS.items():
        tile = laid(tiles=f"r1c2=pivoting:{mark}").tiles["r1c2"]
        assert isinstance(tile, GivenTile)
        assert getattr(tile, fact) == value
    tile = laid(tiles="r1c2=vortex:reminder3:down:reminder1").tiles["r1c2"]
    assert tile == GivenTile(kind="vortex", face="down", reminders=(3, 1))


def test_a_board_in_full_may_stand_beside_a_base() -> None:
    tiles: Json = {"r1c2": {"kind": "acid", "face": "down"}}
    short = msgspec.convert({"base": "four-allies", "tiles": tiles}, BasedSituation)
    assert spread(short)["tiles"] == tiles


@pytest.mark.parametrize(
    ("characters", "tiles", "place"),
    [
        ("kevin r1c9", "", "characters.kevin"),
        ("kevin =3", "", "characters.kevin"),
        ("kevin acted=", "", "characters.kevin"),
        ("max", "", "characters"),
        ("", "r1c2=", "tiles.r1c2"),
        ("", "r1c2=acid:", "tiles.r1c2"),
        ("", "acid=r1c2", "tiles"),
    ],
)
def test_what_cannot_be_read_is_refused(characters: str, tiles: str, place: str) -> None:
    with pytest.raises(ShorthandError) as refused:
        laid(characters, tiles)
    assert refused.value.place == place
