"""Single-bit flips of a record: none passes, each is named. ``make fuzz`` flips every bit."""

from __future__ import annotations

import pytest

from replay import verify
from replay.findings import CHAIN, Finding, ok
from replay.source import Source
from simulator import fuzz_flips
from simulator.fuzz_flips import FlipTally, Target, judge, run
from tests.replay.forging import Forger, small

STRIDE = 251
"""A prime, so that all eight bits have their turn."""


def target() -> Target:
    return Target("small", small())


@pytest.mark.slow
def test_no_flip_passes_and_each_is_named() -> None:
    tally, whole = FlipTally(), target()
    run(whole, whole.every(STRIDE), tally)
    assert tally.flips == len(range(0, 8 * len(small()), STRIDE))
    assert tally.named == tally.flips
    assert tally.right_beside == tally.in_events, tally.wrong
    assert tally.right_parts == tally.flips - tally.in_events
    assert tally.right > 0.9 * tally.in_events
    assert tally.wrong == []


@pytest.mark.slow
def test_no_flip_of_a_line_break_passes() -> None:
    tally, whole = FlipTally(), target()
    breaks = [place for place, byte in enumerate(small()) if byte == ord("\n")]
    run(whole, [(place, n % 8) for n, place in enumerate(breaks)], tally)
    assert tally.in_events == len(breaks) - 2
    assert tally.wrong == []


def place_of(text: bytes) -> fuzz_flips.Flip:
    return small().index(text) + len(text), 0


def test_the_id_of_a_command_needs_the_heads() -> None:
    flip = place_of(b'"id":"')
    found = judge(target(), flip)
    assert (found.named, found.right, found.right_beside) == (True, False, True)


def test_without_the_chain_a_flip_would_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: what counts flips sees one that no check finds."""

    def blind(source: Source) -> Finding:
        return ok(CHAIN, source.stream)

    monkeypatch.setattr(verify, "check_chain", blind)
    monkeypatch.setattr(fuzz_flips, "check_chain", blind)
    forger = Forger(small())
    forger.unsign()
    whole, tally = Target("unsigned", forger.content()), FlipTally()
    run(whole, [place_of(b'"id":"')], tally)
    assert (tally.passed, tally.named) == (1, 0)
    assert len(tally.wrong) == 1
    assert tally.lines()[0] == "1 flips, 1 passed, 0.00 % in a check"


def test_what_is_no_record_is_not_named() -> None:
    short = Target("short", small())
    short.content = b"x"
    assert judge(short, (0, 0)).named is False


def test_the_shares_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz_flips, "targets", lambda: [target()])
    assert fuzz_flips.main(["--flips", "5", "--stride", "9999"]) == 0
    told = capsys.readouterr().out
    assert told.count(" 0 passed, 100.00 % in a check") == 2
    nothing = fuzz_flips.FlipOutcome(named=False, right=False, right_beside=False)
    monkeypatch.setattr(fuzz_flips, "judge", lambda *_: nothing)
    assert fuzz_flips.main(["--flips", "5", "--stride", "9999"]) == 1
    assert "small, byte " in capsys.readouterr().out
