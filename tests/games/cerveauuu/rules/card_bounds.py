"""Where the target of each card ends, written by hand from §8: what is just inside and what is not.

Pieces and changes are in the words of ``staging`` and ``differences``; seat 1 plays, its card is
``k1``. A play is the path after the card's number. All plays of a row are tried in one position, so
that nothing but the filter or the number in question parts those that are refused from the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Bound(NamedTuple):
    """A position, a play, and plays that go too far.

    ``refused`` are parted by blanks; ``changes`` by ``; ``, and nothing is said if there are none.
    """

    card: str
    pieces: str
    play: str
    refused: str = ""
    changes: str = ""
    window: str = "Z"
    map_: str = "town"
    hand: str = ""
    path: str = ""
    fight: str = ""


SHOTS: Final[Mapping[str, int]] = {
    "c031": 8,
    "c032": 4,
    "c033": 2,
    "c034": 3,
    "c036": 6,
    "c038": 6,
    "c039": 3,
    "c041": 5,
}
"""How far each card reaches that needs a human who sees the zombie."""

IN_SIGHT: Final = (
    *(
        Bound(
            card, f"h01@r0c0 z01@r0c{far}:2 z02@r0c{far + 1}:2", "h01.z01", "h01.z02", map_="road"
        )
        for card, far in SHOTS.items()
    ),
    *(
        Bound(card, "h01@r3c2 h02@r3c1 z01@r3c3:2 z02@r2c2:2", "h01.z01", "h01.z02 h01.h02")
        for card in SHOTS
    ),
    Bound("c042", "h01@r0c0 h02@r0c6 h03@r0c7", "h01.h02", "h01.h03", map_="road"),
    Bound("c042", "h01@r3c2 h02@r3c3 h03@r2c2 z01@r3c1:2", "h01.h02", "h01.h03 h01.z01"),
    Bound("c056", "h01@r3c2", "h01.r3c5", "h01.r3c6 h01.r2c2"),
    Bound(
        *("c035", "h01@r2c6 h02@r2c3 h03@r2c8 z01@r2c5:2 z02@r2c2:2 z03@r2c0:2"),
        *("h01.z01", "h02.z01 h01.z02 h01.z03 h01.h03"),
    ),
)

FIGHTERS: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(
        ("c043", "c044", "c045", "c046", "c047", "c048", "c049"), ("h01", "h03 z01 z02")
    ),
    **dict.fromkeys(("c054", "c057", "c058", "c085", "c090", "c099", "c140"), ("h01", "h03 z01")),
    "c050": ("h02", "h03 z03"),
    "c051": ("z02", "h03 z03"),
    **dict.fromkeys(("c052", "c053", "c089", "c100", "c102"), ("z01", "z02 z03 h01")),
    **dict.fromkeys(("c112", "c115"), ("z01", "z02 z03 h01")),
    **dict.fromkeys(("c055", "c116"), ("z02", "z03 z04 h01")),
    "c114": ("z02", "z01 h01 z03 h03"),
    "c104": ("h02.r1c1", "h02.r0c1 h01.r6c3 h03.r6c3 z02.r6c4"),
}
"""Who fights and may be named, and who may not: not at all, or not by seat 1."""

IN_A_FIGHT: Final = tuple(
    Bound(
        card,
        "h01@r3c3 h02@r4c3 h03@r6c1 z01@r3c4:1 z02@r4c4:2 z03@r6c7:1 z04@r6c8:2",
        play,
        refused,
        window="C",
        fight="z01 z02 > h01 h02",
    )
    for card, (play, refused) in FIGHTERS.items()
)

LAID: Final = "h01@r3c2 h02@r1c2 z01@r3c4:1 z02@r2c2:2"

PLACES: Final = (
    Bound("c061", "", "r3c3", "r1c3"),
    Bound("c063", LAID, "h01.r1c3", "h01.r3c3 h01.r1c2"),
    Bound("c065", LAID, "r3c3", "r3c2 r1c3"),
    Bound("c074", "", "r2c3e", "r4c5e r1c3e"),
    Bound("c075", "", "r2c3e", "r4c5e r1c3e"),
    Bound("c078", LAID, "r3c3", "r3c2 r1c3"),
    Bound("c079", LAID, "h01.r1c1", "h01.r3c2 h01.r3c4 h01.r0c2"),
    Bound("c084", "z01@r0c0:2", "z01.r0c5", "z01.r0c6", map_="road"),
    Bound("c094", LAID, "r1c3", "r1c2 r3c3", window="O"),
    Bound("c095", "h01@r0c0", "r0c1", "r0c0 r3c3"),
    Bound("c096", LAID, "r2c4.r2c3", "r3c2.r3c1 r3c1.r3c2 r1c3.r2c3 r2c4.r2c6"),
    Bound("c097", "h01@r0c0", "r0c1", "r0c0 r3c3"),
    Bound("c122", "", "r2c3e", "r4c5e r1c3e"),
    Bound("c123", "", "r4c5e", "r2c3e r1c3e"),
    Bound("c129", LAID, "r3c3.k2", "r3c2.k2 r1c3.k2 r3c3.k2-k3", hand="c055 c056"),
    Bound(
        *("c139", "z01@r3c4:1 z02@r6c4:2 h01@r3c5", "z01.r3c7", "z02.r6c5 z01.r3c5 z01.r3c8"),
        window="O",
    ),
)

OWNERS: Final = (
    Bound("c026", LAID, "z01", "z02"),
    Bound("c068", LAID, "z01", "z02"),
    Bound("c101", LAID, "z01", "z02"),
    Bound("c105", LAID, "z02", "z01"),
    Bound("c109", LAID, "1.z01", "1.z02", window="M", path="z01:r3c5"),
    Bound("c072", LAID, "1.z01", "1.z02", window="M", path="z01:r3c5"),
    Bound("c113", "z01@r3c4:1!a z02@r3c6:2!a z03@r3c8:1", "z01", "z02 z03", window="O"),
    Bound("c117", LAID, "z02.k2-k3", "z01.k2-k3", hand="c055 c056"),
    Bound("c120", "z01@r3c4:1!b z02@r3c6:2!b z03@r3c8:1", "z01", "z02 z03"),
    Bound(
        *(
            "c103",
            "h01@r3c3 h02@r4c2 h03@r5c3 z01@r3c4:1",
            "h01.h02",
            "h03.h02 h01.h03 h01.z01 z01.h01",
        ),
        *("", "C", "town", "", "", "z01 > h01"),
    ),
)

STEPS: Final = (
    Bound("c059", "h01@r0c0", "h01.r0c8", "h01.r0c9", map_="road"),
    Bound("c060", "h01@r0c0 z01@r0c1:2", "h01.z01.r0c3", "h01.z01.r0c4", map_="road"),
    Bound("c060", "h01@r3c0 z01@r3c1:2 z02@r5c0:2", "h01.z01.r3c0", "h01.z02.r3c0"),
    Bound("c060", "h01@r3c4 h02@r2c3 z01@r2c4:2", "h01.z01.r3c4", "h02.z01.r2c3"),
    Bound("c062", "h01@r0c0", "h01.r0c4", "h01.r0c5", map_="road"),
    Bound("c064", "z01@r0c0:2", "z01.r0c2", "z01.r0c3", map_="road"),
    Bound("c064", LAID, "z01.r3c4", "z02.r2c2"),
    Bound("c066", "h01@r0c0", "h01.r0c6", "h01.r0c7", map_="road"),
    Bound("c066", LAID, "h01.r3c2", "h02.r1c2"),
    Bound("c087", "z01@r0c0:1 z02@r0c8:2", "z01.r0c2", "z01.r0c3 z02.r0c8", map_="road"),
    Bound("c131", "h01@r0c0", "h01.r0c2", "h01.r0c3", map_="road"),
    Bound("c132", "z01@r0c0:2", "z01.r0c1", "z01.r0c2", map_="road"),
)

NEAR: Final = (
    Bound("c029", "h01@r0c6 h02@r0c7", "r0c2", changes="no more media; h01@r0c4", map_="road"),
    Bound("c061", "h01@r0c2 h02@r0c7 z01@r0c0:1", "r0c4", changes="h01@r0c8", map_="road"),
    Bound("c065", "h01@r0c7 h02@r0c8", "r0c1", changes="h01@r0c4", map_="road"),
    Bound("c080", "z01@r0c7:2 z02@r0c8:2", "r0c2", changes="z01@r0c6", map_="road"),
    Bound("c081", "h01@r6c3 h02@r2c8", "r2c3", changes="h01@r4c3"),
    Bound("c119", "h01@r0c3 h02@r0c2 z01@r0c0:1", "r0c6", changes="h01@r0c6", map_="road"),
)

NEXT_TO: Final = "h01@r3c4 h02@r3c3 z01@r3c5:2 z02@r3c6:2"

KINDS: Final = (
    Bound("c037", NEXT_TO, "h01.z01", "h01.z02 h01.h02 z02.z01"),
    Bound("c060", NEXT_TO, "h01.z01.r2c4", "h01.z02.r2c4 h01.h02.r2c4 z02.z01.r2c6"),
    Bound("c088", NEXT_TO, "h01.z01", "h01.z02 h01.h02 z02.z01"),
    Bound("c091", NEXT_TO, "h01.z01", "h02.z02 h01.h02 z02.z01"),
    Bound("c040", LAID, "z01.k2", "h01.k2 z02.k2", hand="c055"),
    Bound("c059", LAID, "h01.r3c3", "z01.r3c3"),
    Bound("c062", LAID, "h01.r3c3", "z01.r3c3"),
    Bound("c063", LAID, "h01.r1c3", "z01.r1c3"),
    Bound("c064", LAID, "z01.r3c5", "h01.r3c1"),
    Bound("c066", LAID, "h01.r3c3", "z01.r3c3"),
    Bound("c069", LAID, "h01", "z01"),
    Bound("c070", LAID, "h01", "z01"),
    Bound("c079", LAID, "h01.r3c3", "z01.r3c3"),
    Bound("c092", LAID, "h01", "z01"),
    Bound("c093", "h01@r3c2!b z01@r3c4:1!b", "h01", "z01"),
    Bound("c110", LAID, "h01", "z01"),
    Bound("c111", LAID, "0.h01", "0.z01", window="P"),
    Bound("c118", LAID, "0.h01", "0.z01", window="P"),
    Bound("c131", LAID, "h01.r3c3", "z01.r3c3"),
    *(Bound(card, LAID, play) for card in ("c071", "c082", "c083") for play in ("h01", "z01")),
    *(Bound("c130", LAID, play) for play in ("h01", "z01")),
    *(Bound("c132", LAID, play) for play in ("h01.r3c3", "z01.r3c3")),
)

EVERYBODY: Final = (
    Bound(
        "c114", "h01@r3c3 h02@r4c3 z01@r3c4:1", "h02", "h01 z01", fight="z01 > h01 h02", window="C"
    ),
    Bound("c025", LAID, "", changes="no more media; h01 wins ties; h02 wins ties; for round"),
    Bound("c030", "", "", changes="no more media", hand="c055"),
    Bound("c039", "h01@r3c3 z01@r3c5:2 z02@r3c6:2", "h01.z01", changes="z01 doomed; z02 doomed"),
    Bound("c065", "h01@r0c4 z01@r0c1:1", "r0c6", changes="h01@r0c6", map_="road"),
    Bound("c080", "h01@r0c4 z01@r0c7:2", "r0c2", changes="z01@r0c6", map_="road"),
    Bound("c134", "", "", changes="s2 hand +1", hand="c055 c056"),
)

BOUNDS: Final = (
    *IN_SIGHT,
    *IN_A_FIGHT,
    *PLACES,
    *OWNERS,
    *STEPS,
    *NEAR,
    *KINDS,
    *EVERYBODY,
)


class Sum(NamedTuple):
    """Two cards, by seats 1 and 2, each with its play, and what they come to together.

    What one of them does by itself would be cut off at 0.
    """

    card: str
    play: str
    after: str
    reading: str
    window: str = "C"


SUMS: Final = (
    Sum("c019", "0", "c118 0.h02", "h02 move 3", "P"),
    Sum("c038", "h01.z01", "c082 h01", "h01 move 2", "Z"),
    Sum("c083", "h01", "c082 h01", "h01 move 2", "Z"),
    Sum("c111", "0.h01", "c118 0.h01", "h01 move 3", "P"),
    Sum("c048", "h01", "c051 z01", "z01 combat 2"),
    Sum("c055", "z01", "c051 z01", "z01 combat 2"),
    Sum("c116", "z01", "c051 z01", "z01 combat 1"),
)


class Payment(NamedTuple):
    """Cards on those who fight, and what they have brought once the fight is over.

    ``plays`` are those of seats A and B in turn, in the notation of §10.
    """

    card: str
    plays: str
    brought: str
    others: str = ""


PAYMENTS: Final = (
    Payment("c026", "A:k1.zA", "A score 2; A hand 1"),
    Payment("c047", "B:k1.h1", "B hand 1"),
    Payment("c053", "A:k1.zA", "A score 1; A hand 2"),
    Payment("c058", "B:k1.h1", "h01 blocked"),
    Payment("c089", "A:k1.zA", "A score 2; A hand 1"),
    Payment("c089", "A:k1.zA B:k1.h1", "A score -1", others="c043"),
)
