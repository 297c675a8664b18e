"""The bench of the store's memory runs on a store as it is deployed, by rights that suffice."""

from __future__ import annotations

import pytest

from bench import memory
from bench.measure import Effort


@pytest.mark.system
def test_it_weighs_every_key_of_the_games_that_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "QUICK_GAMES", 2)
    monkeypatch.setattr(memory, "_AT_ONCE", 2)
    report = memory.run(Effort(quick=True))
    allocated, weighed = report.gates
    parts = {each.name: each.best for each in report.figures if each.name.startswith("of this")}
    assert parts["of this: entries"] > 100
    assert sum(parts.values()) == pytest.approx(weighed.value)
    assert allocated.value > 0
