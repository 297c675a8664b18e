"""Which golden games of Cerveauuu! there are: one of each size, one in each kind of window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from events.kernel import Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import Window
from games.cerveauuu.opening.options import MODE, RULEBOOK
from simulator import golden_games

HANDS: Final = (
    ("c106", "c124", "c093", "c109", "c071"),
    ("c130", "c113", "c026", "c135", "c136"),
    ("c110", "c126", "c104", "c070", "c031"),
    ("c085", "c114", "c069", "c120", "c089"),
    ("c059", "c112", "c064", "c102", "c032"),
    ("c111", "c129", "c047", "c078", "c054"),
)
"""What each seat holds where a game begins late."""

SPARE: Final = 4
"""So many cards more than are drawn first lie on the card that ends such a game."""


class Recipe(golden_games.GoldenRecipe, frozen=True, kw_only=True):
    """How a golden game of Cerveauuu! is played."""

    game: str = "cerveauuu"
    rulebook: str = RULEBOOK
    mode: str = MODE


def late(seats: int, stage: str = "draw") -> Mapping[str, Any]:
    """A position in the middle of the town in which one end-credits card more ends the game.

    It lies under the cards that everybody draws, so that a game of many players is one round long.
    """
    humans, zombies = 2 * seats, 2 * seats
    pieces: dict[str, Any] = {}
    for n in range(humans):
        pieces[f"h{n + 1:02}"] = {"cell": f"r{7 + n % 4}c{4 + 2 * (n // 4)}"}
    for n in range(zombies):
        where = {"cell": f"r{5 + 7 * (n % 2)}c{6 + n // 2}", "seat": 1 + n % seats}
        pieces[f"z{n + 1:02}"] = where
    held = {card for hand in HANDS for card in hand}
    ends = [name for name, card in CARDS.items() if card.type == "end_credits"]
    others = [name for name in CARDS if name not in held and name not in ends]
    count = 3 * seats + SPARE
    first = others[:: len(others) // count][:count]
    return {
        "pieces": pieces,
        "stage": stage,
        "round": 3,
        "hands": {str(seat): list(HANDS[seat - 1]) for seat in range(1, seats + 1)},
        "deck": [*first, ends[-1]],
        "credits": ends[: seats - 1],
    }


def _late(seats: Seat, seed: int, what: str = "", **more: Any) -> Recipe:  # noqa: ANN401 (fields of a recipe)
    name = f"cerveauuu-{seats}{what}"
    return Recipe(name=name, seats=seats, seed=seed, situation=late(seats), **more)


RECIPES: Final = (
    _late(2, 11),
    _late(3, 16, "-absent", absent=(3,)),
    _late(4, 4, "-resign", upset="resign"),
    _late(5, 10, "-pause", upset="pause"),
    _late(6, 9, "-return", absent=(4,), upset="return", ready=True),
    Recipe(name="cerveauuu-2-setup", seats=2, seed=2),
)
"""One for each number of players, which begin late, so that they are short; and a whole one.

The key of a game follows from its name: the deck of the last one ends it in its third round.
"""

SETTING_UP: Final = Recipe(
    name="cerveauuu-place_zombie", seats=2, seed=0, options={"first_chief": 2, "credits": "spread"}
)
"""A game from its first moment, which waits for a zombie to be placed."""

STAGES: Final[Mapping[Window, str]] = {
    "panic": "panic",
    "pre_zombies": "pre_zombies",
    "open": "zombies",
    "movement": "zombies",
    "combat": "zombies",
    "end_round": "end_round",
}
"""Where a game begins that comes to a kind of window."""

WINDOWS: Final[tuple[Window, ...]] = get_args(Window)


def waiting(window: Window, seed: int) -> Recipe:
    """A game of three that comes to a kind of window before long."""
    name = f"cerveauuu-{window}-respond"
    return Recipe(name=name, seats=3, seed=seed, situation=late(3, STAGES[window]))


VECTORS: Final[Mapping[str, int | None]] = {
    "records/cerveauuu-2": 503,
    "records/cerveauuu-3-absent": 732,
    "records/cerveauuu-4-resign": 33,
    "records/cerveauuu-6-return": None,
}
"""Golden games in which, together, every type of event occurs; what has a number is cut there."""
