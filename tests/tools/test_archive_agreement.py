"""Whether an archive and the present rules agree, judged by golden and random games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from events.kernel import Decision, Rejected, Seat
from games.cerveauuu import RULES as PANIC
from games.cerveauuu import Cerveauuu
from games.cerveauuu.model.state import State as Panicked
from games.contract import Game, Rules, TableOpening
from games.room25 import RULES, Room25
from games.room25.model.state import State
from games.room25.tags import TAGS
from replay.archived import Court
from replay.archives import Listed, RulesArchive, house_archives
from replay.cases import Case, Verdict, encode_line
from simulator.room25.plans import seeds_of
from tests.golden_records import SHORT
from tests.replay.mending import OLD, mended, planted
from tools import rules_archive
from tools.archiving.comparing import (
    LIMITS,
    Trial,
    differences,
    golden_trials,
    random_trial,
    random_trials,
)

pytestmark = pytest.mark.slow


@cache
def trials() -> tuple[Trial, ...]:
    """Some games by one rulebook."""
    seeds = [
        seed
        for mode in ("suspicion", "cooperation", "solo")
        for seed in seeds_of("ultimate", mode, range(2))
    ]
    return (*golden_trials([SHORT]), *(random_trial(RULES.id, seed, Court()) for seed in seeds))


class Closed(Room25):
    """A game in which one voluntary act is not offered."""

    def decisions(self, state: State, seat: Seat) -> list[Decision]:
        """As ever, but for reminders."""
        return [d for d in super().decisions(state, seat) if d.kind != "place_reminder"]


class Strict(Room25):
    """A game that refuses tables for another reason."""

    def open(self, wish: TableOpening) -> TableOpening:
        """As ever, but for the reason."""
        try:
            return super().open(wish)
        except Rejected as no:
            raise Rejected("otherwise", no.detail) from no


class AskedOnce(RulesArchive):
    """An archive that is asked about the same cases once: it would say the same again."""

    def __init__(self, listed: Listed) -> None:
        super().__init__(listed, rules_archive.FOLDER, LIMITS)
        self._said: dict[bytes, list[Verdict]] = {}

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        """As ever, remembered."""
        question = b"\n".join(map(encode_line, cases))
        if question not in self._said:
            self._said[question] = super().verdicts(cases)
        return self._said[question]


@cache
def ours() -> RulesArchive:
    """The archive that we ship."""
    (archive,) = house_archives().all()
    return AskedOnce(archive.listed)


def found_by(court: Court) -> list[str]:
    """Where our archive and some rules differ."""
    return list(differences(ours(), trials(), court))


def changed(rules: Rules) -> Court:
    """Rules that are not those of the archive, under the same tag."""
    return Court({rules.id: rules})


def decided_by(decider: Game[Any]) -> Rules:
    """The rules of Room 25 with another decider."""
    return replace(RULES, decider=decider)


def test_the_archive_and_the_present_rules_agree() -> None:
    assert found_by(Court()) == []
    assert any(trial.case.tries for trial in trials())
    assert sum(len(Court().judge(trial.case).offers) for trial in trials()) > 100


def test_a_changed_rule_is_found() -> None:
    refusing = mended("program", tag=TAGS["ultimate"])
    found = found_by(changed(refusing))
    assert len(found) == len(trials())
    assert all(OLD in each and "the rules refuse this" in each for each in found)


def test_an_option_that_is_no_longer_offered_is_found() -> None:
    found = found_by(changed(decided_by(Closed())))
    assert found
    assert all("what may be chosen before command" in each for each in found)


def test_another_reason_to_refuse_is_found() -> None:
    found = found_by(changed(decided_by(Strict())))
    assert found
    assert all("the answer to refused command" in each for each in found)
    assert "'otherwise' by the present code" in found[0]


class Open(Cerveauuu):
    """A game in which nobody can order to pass."""

    def decisions(self, state: Panicked, seat: Seat) -> list[Decision]:
        """As ever, but for orders."""
        return [d for d in super().decisions(state, seat) if d.kind != "yield"]


def test_random_games_of_each_game_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(game: str, seed: int, _: Court) -> Trial:
        return Trial(f"{game} {seed}", trials()[0].case)

    monkeypatch.setattr("tools.archiving.comparing.random_trial", named)
    wanted = {f"{RULES.id} {seed}" for seed in range(10)} | {f"{PANIC.id} 0"}
    assert {trial.name for trial in random_trials(10, Court())} == wanted


def test_a_random_game_of_another_game_shows_a_changed_rule() -> None:
    case = random_trial(PANIC.id, 5, Court()).case
    found = changed(replace(PANIC, decider=Open())).judge(case)
    assert found.offers != Court().judge(case).offers


def test_under_a_raised_tag_a_changed_rule_is_no_difference() -> None:
    assert found_by(changed(mended("program"))) == []


def told(program: str, folder: Path) -> list[str]:
    """Where an archive that is this program differs from the present rules."""
    (archive,) = planted(folder, program).all()
    return list(rules_archive._told("planted", differences(archive, trials(), Court())))


def test_an_archive_that_has_judged_nothing_does_not_agree(tmp_path: Path) -> None:
    program = (
        "import sys\nfor _ in sys.stdin.buffer:\n"
        '  print(\'{"format":"parlour-rules/1","judged":0,"drawn":0}\')'
    )
    assert len(trials()) == 7
    assert all("the archive has judged no command" in each for each in told(program, tmp_path))


def test_an_archive_that_does_not_run_does_not_agree(tmp_path: Path) -> None:
    assert told("1 / 0", tmp_path) == ["planted: it ended with an error (1)"]


def test_an_archive_without_golden_records_is_told(tmp_path: Path) -> None:
    (archive,) = planted(tmp_path, "").all()
    manifest = msgspec.structs.replace(archive.listed.manifest, table="table/0")
    listed = msgspec.structs.replace(archive.listed, manifest=manifest)
    old = RulesArchive(listed, tmp_path, LIMITS)
    assert list(differences(old, trials(), Court())) == ["it judges none of the golden games"]
