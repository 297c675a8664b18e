"""Phrases in random games: nobody learns a secret by talking, or by being refused to talk."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.phrases import Phrasebook
from games.room25 import RULES
from games.room25.rules.phrases import PHRASES
from games.table.events import PhraseSaid, SayPhrase
from simulator.chance import chance
from simulator.plans import BOT
from simulator.room25.driver import play
from simulator.room25.interference import Interference
from simulator.room25.plans import plan_of
from simulator.room25.run import Run
from simulator.run import PropertyBroken, RunStep, Watched
from simulator.silence import PublicSilence

SEEDS = (14, 40, 56, 57)
SPAN_MS = 15_000


class Talker:
    """Watches a game to say something after each of some steps, at a table with a phrasebook."""

    def __init__(self, seed: int, book: Phrasebook) -> None:
        rules = replace(RULES, phrases=book)
        self.table = Watched({RULES.id: rules}, frozenset({BOT}))
        self.match = Run(plan_of(seed), self.table, [PublicSilence()])

    def replay(self) -> Run:
        """Give the commands of the game of this seed, with other phrases than its own."""
        match = self.match
        for number, step in enumerate(play(match.plan).steps):
            if step.refusal is None and not isinstance(step.command, SayPhrase):
                match.now = step.now
                match.give(step.command, step.actor)
                self._talk(number, step)
        return match

    def _talk(self, number: int, step: RunStep) -> None:
        match, state = self.match, self.match.state
        seat = 1 + number % max(1, len(state.seats))
        if state.phase != "live" or state.paused_at is not None or state.seats[seat].bot:
            return
        command = SayPhrase(seat=seat, phrase="trust_me", to=1)
        times = state.phrase_times(seat)
        book = self.table.rules[RULES.id].phrases
        if book.is_silenced(state.play):
            match.refuse(command, match.actor(seat), ("phrases-silenced",))
        elif len(times) < 3 or step.now - times[0] >= SPAN_MS:
            match.give(command, match.actor(seat))


def _faulty(play: Any) -> bool:
    """The planted fault: it looks at rooms that nobody may know."""
    kinds = (tile.kind for tile in play.grid.values() if not tile.up and tile.kind)
    return sum(place * len(kind) for place, kind in enumerate(kinds)) % 2 == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_learns_a_secret_by_phrases(seed: int) -> None:
    match = Talker(seed, PHRASES).replay()
    assert any(isinstance(event, PhraseSaid) for event in match.log)
    Interference(chance("twins", seed), most=6).ended(match)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_silence_that_tells_a_secret_is_found(seed: int) -> None:
    """Whatever the game: as soon as it tells one, and not only where twin worlds show it."""
    book = replace(PHRASES, is_silenced=_faulty)
    with pytest.raises(PropertyBroken, match="can tell a secret"):
        Talker(seed, book).replay()
