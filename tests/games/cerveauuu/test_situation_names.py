"""No name in a situation is taken with a line break at its end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.cerveauuu.opening.situation import Situation

GOOD: dict[str, Any] = {"pieces": {"h01": {"cell": "r0c0"}}}


@pytest.mark.parametrize(
    ("member", "sound"),
    [
        ("pieces", {"z01": {"cell": "r0c1", "seat": 1}}),
        ("cells", {"r1c1": "opaque"}),
        ("edges", {"r1c1e": "wall"}),
        ("seed", "ab" * 32),
        ("stage", "zombies"),
    ],
)
def test_a_name_takes_no_newline(member: str, sound: Any) -> None:
    msgspec.convert(GOOD | {member: sound}, Situation)
    spoilt: object = f"{sound}\n"
    if isinstance(sound, dict):
        spoilt = {f"{name}\n": value for name, value in sound.items()}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(GOOD | {member: spoilt}, Situation)


def test_the_cell_of_a_piece_takes_none_either() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"pieces": {"h01": {"cell": "r0c0\n"}}}, Situation)
