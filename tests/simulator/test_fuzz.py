"""``make fuzz``: its parts, and those that throw requests and floods at a live service."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from simulator import fuzz, fuzz_api, fuzz_edge, fuzz_faults, fuzz_flips
from simulator.registry import Simulator

pytestmark = pytest.mark.system


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (
            ["5", "7", "8", "6", "9"],
            ["--seconds 5", "--seconds 7", "--faults 8", "--flips 6", "--games 9"],
        ),
        (["0", "0", "0", "0", "9"], ["--games 9"]),
        (["0", "7", "0", "0", "0"], ["--seconds 7"]),
        (["0", "0", "8", "0", "0"], ["--faults 8"]),
        (["0", "0", "0", "6", "0"], ["--flips 6"]),
        (["5", "0", "0", "0", "0"], ["--seconds 5"]),
    ],
    ids=["all", "games", "floods", "faults", "flips", "requests"],
)
def test_each_part_is_run_as_wished(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], wanted: list[str]
) -> None:
    said: list[str] = []

    def part(given: Sequence[str] | None) -> int:
        said.append(" ".join(given or ()))
        return len(said) - 1

    monkeypatch.setattr(fuzz_api, "main", part)
    monkeypatch.setattr(fuzz_edge, "main", part)
    monkeypatch.setattr(fuzz_faults, "main", part)
    monkeypatch.setattr(fuzz_flips, "main", part)
    one = Simulator(
        fuzz=part, fuzzed=3, random_game=lambda *_: pytest.fail("played"), golden=lambda: iter(())
    )
    monkeypatch.setattr(fuzz, "SIMULATORS", {"one": one})
    names = ("--seconds", "--flood", "--faults", "--flips", "--games")
    pairs = zip(names, arguments, strict=True)
    assert fuzz.main([word for pair in pairs for word in pair]) == len(wanted) - 1
    assert said == wanted


# By day tests/service/test_schemathesis.py asks the same of every operation.
@pytest.mark.nightly
def test_a_second_of_requests_finds_nothing() -> None:
    assert fuzz_api.main(["--seconds", "1"]) == 0


@pytest.mark.slow
def test_beside_a_flood_of_a_second_everything_is_answered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fuzz_edge.main(["--seconds", "1"]) == 0
    assert "all answered" in capsys.readouterr().out
