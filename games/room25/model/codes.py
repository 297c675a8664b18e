"""Why this game refuses something. Stable; documented in ``docs/problems.md``."""

from enum import StrEnum


class Code(StrEnum):
    """Rejection codes of Room 25."""

    UNKNOWN_RULEBOOK = "unknown-rulebook"
    UNKNOWN_MODE = "unknown-mode"
    BAD_SEAT_COUNT = "bad-seat-count"
    UNKNOWN_OPTION = "unknown-option"
    BAD_OPTION = "bad-option"
    BAD_COMPOSITION = "bad-composition"
    UNKNOWN_CHARACTER = "unknown-character"
    CHARACTER_TAKEN = "character-taken"
    CHARACTER_NOT_ALLOWED = "character-not-allowed"
    MALFORMED_SCENARIO = "malformed-scenario"
    IMPOSSIBLE_SCENARIO = "impossible-scenario"
    UNKNOWN_DECISION = "unknown-decision"
