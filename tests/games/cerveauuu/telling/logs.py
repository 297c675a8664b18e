"""Logs of games of Cerveauuu! as somebody reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec

from events.kernel import Event, Viewer, redact
from games.cerveauuu.decider import CERVEAUUU
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.state import State
from games.cerveauuu.telling.published import PublishedCerveauuu
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.cerveauuu.words import WORDS
from games.sentences import Sentences
from simulator.cerveauuu.bare_game import BareGame

Fields = dict[str, Any]
Seen = tuple[Fields, Fields]
"""An event as its reader has it, and what the game says beside it."""

STEPS = 20_000
TEXTS = CerveauuuTexts()


def tag_of(kind: type[Event]) -> str:
    """The type of an event as it is written."""
    return str(kind.__struct_config__.tag)


def played(seats: int, seed: int) -> BareGame:
    """A whole game at random, in which many cards are played; somebody changes standing orders."""
    random = Random(seed)
    sitting = BareGame(seats, {"placement": "random"}, f"log-{seed}".encode()).begin()
    for step in range(STEPS):
        if sitting.truth.end is not None:
            return sitting
        if step % 50 == 0:
            for decision in CERVEAUUU.decisions(sitting.truth, 1):
                if decision.optional:
                    sitting.choose(decision, random.choice(decision.options).id)
        pending = sitting.pending()
        if pending:
            decision = random.choice(pending)
            sitting.choose(decision, sitting.at_random(decision, random, playing=0.6))
    raise AssertionError("the game does not end")


def seen(event: Event, before: State) -> Seen:
    """An event as somebody sees it who sees the state before it so."""
    return msgspec.to_builtins(event, str_keys=True), dict(TEXTS.beside(event, before))


def seen_by(eyes: Viewer, events: Iterable[Event]) -> Iterator[Seen]:
    """A log as it is seen with some eyes."""
    view = CERVEAUUU.initial()
    for event in events:
        own = redact(event, eyes)
        yield seen(own, view)
        view = CERVEAUUU.evolve(view, own)


class Reader:
    """Somebody who reads logs in a language; players are called after their seats.

    Attributes:
        names: what the cards are called.
        named: finds all names of cards in a line, the longest first.
    """

    def __init__(self, language: str, texts: CerveauuuTexts = TEXTS) -> None:
        book = PublishedCerveauuu().rulebook("prototype", language)
        self._sentences = Sentences(book, texts.spell)
        self.names = {card: WORDS.word(language, f"cerveauuu/card.{card}.name") for card in CARDS}
        longest = sorted(self.names.values(), key=len, reverse=True)
        self.named = re.compile("|".join(map(re.escape, longest)))

    def line(self, event: Seen) -> str:
        """The sentence for an event."""
        fields, beside = event
        told = self._sentences.tell({**fields, **beside}, lambda seat: f"Player {seat}")
        assert told is not None
        return told
