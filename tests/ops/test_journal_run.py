"""``make run`` with a journal: whatever is killed, the journal has what the store has."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.store_command import main
from runtime.journal.segments import tails
from tests.ops.test_run import House, newest, until

pytestmark = [pytest.mark.slow, pytest.mark.system]


@pytest.fixture
def journaled(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[House]]:
    """Supervisors with a journal; whatever is left of them in the end is killed."""
    monkeypatch.setenv("PARLOUR_JOURNAL", str(home / "journal"))
    started: list[House] = []
    yield started
    for house in started:
        house.close()
        house.require_nothing_left()


def test_a_service_that_has_lost_its_store_goes_on_from_the_journal(
    home: Path, journaled: list[House], capsys: pytest.CaptureFixture[str]
) -> None:
    house = House(home / "var")
    journaled.append(house)
    match = re.search(r"/watch/(g\S+)", house.said)
    assert match
    game, shard = match[1], int(match[1][1:3], 16)
    version = newest(house, game, 0)
    for part in ("shipper", "store", "shipper"):
        house.kill(part)
        version = newest(house, game, version)

    def shipped() -> int:
        found = tails(home / "journal", {shard: 0})[shard]
        return max((each.version for each in found if each.stream == game), default=0)

    until(lambda: shipped() >= version, "it is not shipped")
    assert house.end(signal.SIGTERM) == 0
    house.require_nothing_left()
    known = shipped()
    shutil.rmtree(home / "var" / "store")
    (home / "var" / "store").mkdir()
    wish = ["accept", "--var", str(home / "var"), "--reason", "store-replaced", "--by", "x"]
    assert main(wish) == 0
    assert "put back" in capsys.readouterr().out
    late = House(home / "var", "--no-demo")
    journaled.append(late)
    assert newest(late, game, known - 1) >= known
