"""What each card does, written by hand from §8: a position, a play, its effect, and a refusal.

Pieces and changes are in the words of ``staging`` and ``differences``; seat 1 plays, its card is
``k1``. A refusal says in which other window, position or way, or for which reason, the same card is
not offered.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Row(NamedTuple):
    """One card.

    ``play`` is the path after the card's number; ``changes`` are parted by ``; ``; ``refused`` is
    ``window E``, ``play h02``, ``pieces …``, ``touched z01``, ``ban`` or ``media``.
    """

    card: str
    window: str
    pieces: str
    play: str
    changes: str
    refused: str
    hand: str = ""
    other: str = ""
    path: str = ""
    fight: str = ""
    map_: str = "town"
    credits: str = ""


STREET: Final = "h01@r3c2 h02@r1c2 z01@r3c4:1 z02@r2c2:2"
"""A human and a zombie in the street, a human and a zombie in house a."""

SHOT: Final = "h01@r3c2 z01@r3c5:2"
DUEL: Final = "h01@r3c3 h02@r5c3 z01@r3c4:1 z02@r4c4:2"
TWO: Final = "z01 z02 > h01"
LANE: Final = "h01@r0c3 z01@r0c0:1"
ROW: Final = "lane"

WEATHER: Final = (
    Row("c009", "Z", STREET, "", "weather c009; h01 sight 3; h02 sight 3; for weather", "window C"),
    Row("c010", "P", STREET, "0", "weather c010; h01 move 5; z01 move 3; for weather", "window M"),
    Row("c011", "O", STREET, "", "weather c011; h01 move 4; h02 move 4; for weather", "ban"),
    Row("c012", "E", STREET, "", "weather c012; h01 move 3; z01 move 3; for weather", "window C"),
    Row("c013", "Z", STREET, "", "weather c013; z01 combat 2; z02 combat 2; for weather", "ban"),
    Row("c014", "Z", STREET, "", "weather c014; no firearm; for weather", "window M"),
    Row("c015", "Z", STREET, "", "weather c015; z01 loses its privilege; for weather", "window C"),
    Row(
        *("c016", "Z", STREET, ""),
        "weather c016; h01 sight 2; h02 sight 2; z01 move 3; z02 move 3; for weather",
        "window M",
    ),
    Row("c017", "Z", STREET, "", "weather c017; no vehicle; h01 move 7; for weather", "window C"),
    Row("c018", "Z", STREET, "", "weather c018; s1 hand +1", "ban"),
)

MEDIA: Final = (
    Row("c019", "P", STREET, "0", "no more media; h02 move 0; for round", "window Z"),
    Row("c020", "P", STREET, "0", "no more media; h01 move 8; h02 move 8; for round", "media"),
    Row(
        *("c021", "Z", "", "s2", "no more media; s1 sees c055 c056; s1 hand +1", "play s1"),
        other="c055 c056",
    ),
    Row("c022", "Z", "", "", "no more media; s1 hand +1; s2 hand +1", "media"),
    Row("c023", "O", STREET, "", "no more media; z01 move 5; z02 move 5; for round", "window E"),
    Row("c024", "C", "", "", "no more media; no firearm; for round", "media"),
    Row("c025", "E", "h01@r0c0", "", "no more media; h01 wins ties; for round", "ban"),
    Row("c026", "Z", STREET, "z01", "no more media; when z01 eats; for round", "play z02"),
    Row("c027", "Z", STREET, "", "no more media; no vehicle; h01 move 5; for round", "window E"),
    Row("c028", "P", "h01@r0c0", "0", "no more media; h01 wander 2; for round", "window O"),
    Row(
        *("c029", "Z", "h01@r3c1 h02@r3c8 h03@r6c8 z01@r0c8:1", "r3c4"),
        *("no more media; h01@r3c3; h02@r3c6; h03@r6c6", "media"),
    ),
    Row("c030", "Z", "", "", "no more media; s2 hand -1", "window C", other="c055 c056"),
)

FIREARMS: Final = (
    Row("c031", "Z", SHOT, "h01.z01", "z01 doomed", "pieces h01@r3c2 z01@r3c5:2!b"),
    Row("c032", "C", SHOT, "h01.z01", "z01 doomed", "pieces h01@r3c2 z01@r3c7:2"),
    Row(
        *("c033", "E", "h01@r3c2 h02@r4c4 z01@r3c4:2 z02@r3c5:1 z03@r2c4:2 z04@r3c6:2", "h01.z01"),
        *("z01 doomed; z02 blocked; z03 blocked", "touched z01"),
    ),
    Row("c034", "Z", SHOT, "h01.z01", "z01 doomed; h01 blocked", "pieces h01@r3c2 z01@r3c6:2"),
    Row(
        *("c035", "Z", "h01@r0c0 z01@r0c8:2", "h01.z01", "z01 doomed"),
        "pieces h01@r2c5 z01@r2c3:2",
    ),
    Row("c036", "Z", SHOT, "h01.z01", "z01 blocked", "pieces h01@r3c2!b z01@r3c5:2"),
    Row("c037", "Z", "h01@r3c4 z01@r3c5:2", "h01.z01", "z01 doomed", f"pieces {SHOT}"),
    Row("c038", "Z", SHOT, "h01.z01", "z01 doomed; h01 move 0; for round", "ban"),
    Row(
        *(
            "c039",
            "Z",
            "h01@r3c3 h02@r3c6 h03@r3c7 z01@r3c5:2",
            "h01.z01",
            "z01 doomed; h02 doomed",
        ),
        "pieces h01@r5c6 z01@r5c5:2",
    ),
    Row(
        *("c040", "Z", STREET, "z01.k2", "z01 doomed; s1 hand -1", "play z02.k2"),
        hand="c055 c056",
    ),
    Row("c041", "Z", SHOT, "h01.z01", "z01 blocked; z01 safe from any", "touched h01"),
    Row("c042", "Z", "h01@r3c2 h02@r3c5", "h01.h02", "h02 doomed", "play h01.h01"),
)

WEAPONS: Final = (
    Row("c043", "C", DUEL, "h01", "h01 combat 4; for combat", "play h02", fight=TWO),
    Row("c044", "C", DUEL, "h01", "h01 combat 2; h01 wins ties; for combat", "ban", fight=TWO),
    Row("c045", "C", DUEL, "h01", "h01 combat 3; for combat", "touched h01", fight=TWO),
    Row("c046", "C", DUEL, "h01", "h01 wins ties; for combat", "window Z", fight=TWO),
    Row("c047", "C", DUEL, "h01", "h01 combat 3; when h01 wins; for combat", "play z01", fight=TWO),
    Row(
        *("c048", "C", DUEL, "h01", "z01 combat 0; z02 combat 0; for combat", "play h02"),
        fight=TWO,
    ),
    Row(
        *("c049", "C", DUEL, "h01", "h01 combat 2; h01 safe from melee; for combat", "window E"),
        fight=TWO,
    ),
    Row("c050", "C", DUEL, "z01", "z01 combat 2; for combat", "play h02", fight=TWO),
    Row("c051", "C", DUEL, "h01", "h01 combat 3; for combat", "window Z", fight=TWO),
    Row("c052", "C", DUEL, "z01", "z01 combat 3; for combat", "play z02", fight=TWO),
    Row("c053", "C", DUEL, "z01", "z01 combat 2; when z01 wins; for combat", "play h01", fight=TWO),
    Row("c054", "C", DUEL, "h01", "h01 combat 2; for combat", "play h02", fight=TWO),
    Row("c055", "C", DUEL, "z02", "z02 combat 0; for combat", "play h01", fight=TWO),
    Row(
        *("c056", "Z", SHOT, "h01.r3c5", "z01 doomed; r3c5 opaque; for round", "play h01.r3c6"),
    ),
    Row(
        *("c057", "C", DUEL, "h01"),
        "z01 loses its privilege; z02 loses its privilege; for combat",
        *("window P", "", "", "", TWO),
    ),
    Row("c058", "C", DUEL, "h01", "h01 combat 3; when h01 wins; for combat", "play h02", fight=TWO),
)

VEHICLES: Final = (
    Row("c059", "Z", STREET, "h01.r3c8", "h01@r3c8", "play h01.r3c4"),
    Row(
        *("c060", "Z", "h01@r0c0 z01@r0c1:2", "h01.z01.r0c3", "z01 doomed; h01@r0c3"),
        "play h01.z01.r0c1",
        map_=ROW,
    ),
    Row("c061", "Z", LANE, "r0c4", "h01@r0c8", "window E", map_=ROW),
    Row("c062", "E", "h01@r3c2", "h01.r3c6", "h01@r3c6", "play h01.r3c7"),
    Row("c063", "Z", "h01@r3c2", "h01.r1c2", "h01@r1c2", f"pieces {STREET}"),
    Row("c064", "Z", STREET, "z01.r3c6", "z01@r3c6; z01 blocked", "window E"),
    Row("c065", "Z", "h01@r3c1", "r3c6", "h01@r3c4", "play r4c6"),
    Row("c066", "Z", "h01@r3c1", "h01.r3c7", "h01@r3c7", "pieces h01@r2c3"),
    Row(
        *("c067", "Z", "h01@r1c3 z01@r1c4:2", "r1c3e"),
        *("r1c3e breach; h01 blocked; z01 blocked; for lasting", "play r2c3e"),
    ),
    Row("c068", "Z", STREET, "z01", "z01 move 8; for round", "play z02"),
)

OBJECTS: Final = (
    Row(
        *("c069", "Z", LANE, "h01", "h01 sight 20; h01@r0c7; for round"),
        "pieces h01@r0c3!b z01@r0c0:1",
        map_=ROW,
    ),
    Row("c070", "Z", "h01@r3c2!d", "h01", "h01 not doomed; h01 safe from any", "touched h01"),
    Row("c071", "C", "z01@r3c2:2!d", "z01", "z01 not doomed; z01 safe from card", "ban"),
    Row(
        *("c072", "M", STREET, "1.z01", "z01@r3c5; z01 blocked", "play 1.z02"),
        path="z01:r3c5 z01:r3c6",
    ),
    Row("c073", "Z", "", "b", "r4c5e door_open; for lasting", "window C"),
    Row("c074", "E", "", "r2c3e", "r2c3e wall; for lasting", "play r4c5e"),
    Row("c075", "Z", "", "r2c3e", "r2c3e door_closed; for lasting", "play r1c3e"),
    Row(
        *("c076", "Z", "h01@r1c3 z01@r1c4:2", "r1c3e"),
        *("r1c3e breach; h01 doomed; z01 doomed; for lasting", "play r0c8e"),
    ),
    Row("c077", "P", "h01@r3c3", "0.r3c3", "r3c3 opaque; for round", "window E"),
    Row("c078", "Z", "", "r3c3", "r3c3 impassable; for lasting", "pieces h01@r3c3"),
    Row("c079", "C", "h01@r3c2", "h01.r2c2", "h01@r2c2", "play h01.r3c5"),
    Row("c080", "Z", "z01@r3c1:1 z02@r3c7:2", "r3c4", "z02@r3c6", "window C"),
    Row("c081", "Z", "h01@r2c5 z01@r6c5:1", "r2c3", "h01@r2c3; z01@r4c5", "play r3c3"),
    Row("c082", "Z", STREET, "z01", "z01 move 6; for round", "touched z01"),
    Row("c083", "P", STREET, "0.h01", "h01 move 0; for round", "window E"),
    Row("c084", "Z", "z01@r0c0:1 z02@r3c7:2", "z02.r3c2", "z02@r3c4", "play z01.r0c3"),
    Row("c085", "C", DUEL, "h01", "h01 leaves the fight", "play h02", fight=TWO),
    Row("c086", "Z", "", "s2", "s1 sees c055 c056", "play s1", other="c055 c056"),
    Row("c087", "O", "z01@r3c4:1", "z01.r3c6", "z01@r3c6", "play z01.r3c7"),
    Row(
        *("c088", "Z", "h01@r3c4 z01@r3c5:2", "h01.z01", "h01 blocked; z01 blocked"),
        f"pieces {SHOT}",
    ),
)

CHARACTERS: Final = (
    Row(
        *("c089", "C", DUEL, "z01", "when z01 wins; when z01 loses; for combat", "play z02"),
        fight=TWO,
    ),
    Row("c090", "C", DUEL, "h01", "h01 combat 3; h01 wins ties; for combat", "ban", fight=TWO),
    Row("c091", "Z", "h01@r3c3 z01@r3c5:2", "h01.z01", "z01 blocked", f"pieces {SHOT}"),
    Row("c092", "P", STREET, "0.h01", "h01 combat 2; h01 wins ties; for round", "play 0.z01"),
    Row("c093", "Z", "h01@r3c2!b", "h01", "h01 not blocked", "pieces h01@r3c2"),
    Row("c094", "Z", STREET, "r1c3", "+z03@r1c3:1", "play r3c3"),
    Row("c095", "E", STREET, "r0c0", "+z03@r0c0:1 blocked", "play r3c3"),
    Row("c096", "Z", STREET, "r3c5.r3c6", "+h03@r3c5; +h04@r3c6", "play r3c5.r3c7"),
    Row("c097", "Z", STREET, "r0c0", "+h03@r0c0", "pieces h01@r0c0"),
    Row("c098", "Z", "", "a", "r2c3e door_closed; for round", "window E"),
    Row(
        *("c099", "C", DUEL, "h01"),
        "h01 combat 2; z01 loses its privilege; z02 loses its privilege; for combat",
        *("window Z", "", "", "", TWO),
    ),
    Row("c100", "C", DUEL, "z01", "z01 safe from any", "play z02", fight=TWO),
    Row("c101", "Z", STREET, "z01", "z01 move 6; z01 combat 2; for round", "window E"),
    Row("c102", "C", DUEL, "z01", "z01 combat 2; z02 combat 2; for combat", "ban", fight=TWO),
    Row(
        *("c103", "C", "h01@r3c3 h02@r4c2 h03@r5c3 z01@r3c4:1", "h01.h02"),
        *("h02 joins defenders", "play h01.h03", "", "", "", "z01 > h01"),
    ),
    Row(
        *("c104", "C", "h01@r3c3 h02@r4c3 z01@r3c4:1", "h02.r6c1"),
        *("h02 leaves the fight; h02@r6c1", "play h01.r6c1", "", "", "", "z01 > h01 h02"),
    ),
    Row("c105", "Z", STREET, "z02", "z02 move 1; for round", "play z01"),
    Row("c106", "Z", "", "s2", "s1 hand +1; s2 hand -1", "play s1", other="c055"),
    Row("c107", "Z", "", "", "no media; s1 hand +1; for round", "window E"),
    Row("c108", "Z", STREET, "a", "h02 combat 2; for round", "play c"),
)

EVENTS: Final = (
    Row("c109", "M", STREET, "1.z01", "z01@r3c5; halted", "play 1.h01", path="z01:r3c5 z01:r3c6"),
    Row("c110", "E", STREET, "h01", "h01 blocked", "play z01"),
    Row("c111", "P", STREET, "0.h01", "h01 move 0; for round", "window Z"),
    Row("c112", "C", DUEL, "z01", "z01 combat 2; for combat", "touched z01", fight=TWO),
    Row("c113", "O", "z01@r3c4:1!a", "z01", "z01 not activated", "pieces z01@r3c4:1"),
    Row("c114", "C", DUEL, "z02", "z02 leaves the fight", "play z01", fight=TWO),
    Row("c115", "C", DUEL, "z01", "z01 wins ties; for combat", "play z02", fight=TWO),
    Row("c116", "C", DUEL, "z02", "z02 combat 0; for combat", "play h01", fight=TWO),
    Row(
        *("c117", "Z", STREET, "z02.k2-k4", "z02 doomed; s1 hand -2", "play z02.k4-k2"),
        hand="c055 c056 c058",
    ),
    Row("c118", "P", STREET, "0.h01", "h01 move 9; for round", "window O"),
    Row("c119", "Z", LANE, "r0c6", "h01@r0c6", "window C", map_=ROW),
    Row("c120", "Z", "z01@r3c4:1!b", "z01", "z01 not blocked", "pieces z01@r3c4:1"),
    Row("c121", "C", "", "r1c3e", "r1c3e breach; for lasting", "play r4c5e"),
    Row("c122", "Z", "", "r2c3e", "r2c3e door_closed; for round", "play r4c5e"),
    Row("c123", "Z", "", "r4c5e", "r4c5e door_open; for lasting", "play r2c3e"),
    Row("c124", "Z", STREET, "r3c4", "r3c4 impassable; z01 doomed; for lasting", "window C"),
    Row("c125", "Z", STREET, "a", "h02 blocked; z02 blocked", "window E"),
    Row(
        *("c126", "Z", "z01@r2c3:2!s", "r2c3"),
        *("r2c3 impassable; z01 must_leave; for round", "play r3c3"),
    ),
    Row(
        *("c127", "Z", "h01@r3c2 z01@r3c4:2 z02@r3c7:2", "r3c4"),
        *("h01 move 4; z01 move 2; for round", "play r2c2"),
    ),
    Row("c128", "Z", STREET, "", "h02 sight 1; for round", "ban"),
    Row(
        *("c129", "Z", STREET, "r3c3.k2", "+z03@r3c3:1 blocked; s1 hand -1", "play r3c3.k1"),
        hand="c055",
    ),
    Row("c130", "M", STREET, "0.z02", "z02 safe from any", "touched z02", path="z01:r3c5"),
    Row("c131", "Z", "h01@r3c2", "h01.r3c4", "h01@r3c4", "play h01.r3c5"),
    Row("c132", "Z", "h01@r1c3", "h01.r1c2", "h01@r1c2", "play h01.r1c4"),
    Row("c133", "Z", "", "", "s1 hand +2", "window C"),
    Row("c134", "Z", "", "", "s2 hand +1", "window M", hand="c055"),
    Row("c135", "Z", "", "", "credits none", "window C", credits="c003"),
    Row("c136", "Z", "", "", "need 3", "window M"),
    Row("c137", "Z", "", "s2", "s2 hand -2", "play s1", other="c055 c056 c058"),
    Row("c138", "Z", "", "k2-k3", "s1 hand +1", "play k2", hand="c055 c056 c058"),
    Row("c139", "Z", "z01@r3c4:1", "z01.r3c7", "z01@r3c7", "play z01.r3c8"),
    Row(
        *(
            "c140",
            "C",
            "h01@r3c3 h02@r4c3 z01@r3c4:1",
            "h01",
            "h01 combat 2; h02 combat 2; for combat",
        ),
        *("play z01", "", "", "", "z01 > h01 h02"),
    ),
)

ROWS: Final = (
    *WEATHER,
    *MEDIA,
    *FIREARMS,
    *WEAPONS,
    *VEHICLES,
    *OBJECTS,
    *CHARACTERS,
    *EVENTS,
)

CREDITS: Final = {
    "c001": "h01 move 7; h02 move 7",
    "c002": "z01 move 5; z02 move 5",
    "c003": "h01 move 5; h02 move 5",
    "c004": "h01 wins ties; h02 wins ties",
    "c005": "s1 draws limit 3; s2 draws limit 3",
    "c006": "h01 sight 5; h02 sight 5",
    "c007": "s1 hand limit 2; s2 hand limit 2",
    "c008": "z01 combat 2; z02 combat 2",
}
"""What an end-credits card changes in ``STREET``, for good."""
