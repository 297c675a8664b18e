"""What a host may ask for (§11), and the colours of the seats (§3.1; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from events.kernel import Rejected, Seat
from games.cerveauuu.model.codes import Code
from games.contract import JsonValue, TableOpening

RULEBOOK: Final = "prototype"
MODE: Final = "standard"
LEAST_SEATS: Final = 2
MOST_SEATS: Final = 6

COLOURS: Final = ("green", "purple", "orange", "blue", "grey", "pink")
"""In the order in which they are given out."""

VALUES: Final[Mapping[str, tuple[JsonValue, ...]]] = {
    "first_chief": tuple(range(MOST_SEATS + 1)),
    "map": ("default20",),
    "placement": ("alternate", "random"),
    "wander_goes": (3, 0, 1, 2, 4, 5, 6),
    "credits": ("shuffled", "spread"),
}
"""The values of each option, its default first."""


def checked(requested: TableOpening) -> TableOpening:
    """A table as requested, with every option filled in.

    Raises:
        Rejected: unknown-rulebook, unknown-mode, bad-seat-count, unknown-option or bad-option.
    """
    if requested.rulebook != RULEBOOK:
        raise Rejected(Code.UNKNOWN_RULEBOOK, f"the rulebook is {RULEBOOK}")
    if requested.mode != MODE:
        raise Rejected(Code.UNKNOWN_MODE, f"the mode is {MODE}")
    if not LEAST_SEATS <= requested.seats <= MOST_SEATS:
        raise Rejected(Code.BAD_SEAT_COUNT, f"{LEAST_SEATS} to {MOST_SEATS} players")
    for name, value in requested.options.items():
        if name not in VALUES:
            known = ", ".join(VALUES)
            raise Rejected(Code.UNKNOWN_OPTION, f"no option {name!r:.40}; there are {known}")
        if not any(type(value) is type(v) and value == v for v in VALUES[name]):
            allowed = ", ".join(map(str, sorted(VALUES[name])))
            raise Rejected(Code.BAD_OPTION, f"the option {name} takes one of {allowed}")
    options = {name: values[0] for name, values in VALUES.items()} | dict(requested.options)
    if options["first_chief"] > requested.seats:
        raise Rejected(Code.BAD_OPTION, "the first chief sits at none of the seats")
    return replace(requested, options=options)


def colour(taken: Mapping[Seat, tuple[str, ...]], requested: tuple[str, ...]) -> str:
    """The colour of a seat: the one requested, or the first free one (§3.1).

    Raises:
        Rejected: unknown-colour or colour-taken.
    """
    used = {name for names in taken.values() for name in names}
    if not requested:
        return next(name for name in COLOURS if name not in used)
    wish = requested[0]
    if len(requested) > 1 or wish not in COLOURS:
        raise Rejected(Code.UNKNOWN_COLOUR, f"a seat has one colour of {', '.join(COLOURS)}")
    if wish in used:
        raise Rejected(Code.COLOUR_TAKEN, "somebody else has this colour")
    return wish
