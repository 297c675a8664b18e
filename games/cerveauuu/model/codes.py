"""Why this game refuses something. Stable; documented in ``docs/problems.md``."""

from enum import StrEnum


class Code(StrEnum):
    """Rejection codes of Cerveauuu!."""

    UNKNOWN_RULEBOOK = "unknown-rulebook"
    UNKNOWN_MODE = "unknown-mode"
    BAD_SEAT_COUNT = "bad-seat-count"
    UNKNOWN_OPTION = "unknown-option"
    BAD_OPTION = "bad-option"
    UNKNOWN_COLOUR = "unknown-colour"
    COLOUR_TAKEN = "colour-taken"
    MALFORMED_SCENARIO = "malformed-scenario"
    IMPOSSIBLE_SCENARIO = "impossible-scenario"
    UNKNOWN_DECISION = "unknown-decision"
