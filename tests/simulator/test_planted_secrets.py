"""Faults in what is told of the later editions' secrets: each is caught by an oracle of knowledge.

Stacks and piles, roles that are looked at, programmes that lie open or are changed, tokens that are
discarded, rooms that are turned down or replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Audience, Event, Option
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.facts import evolve as evolve_module
from games.room25.model.agenda import Ask, DrawCard, Question
from games.room25.model.cards import PENALTIES
from games.room25.model.state import State
from games.room25.rules import actions, cards, choices, rooms
from games.room25.rules.context import Play
from simulator.room25.plans import Plan
from tests.simulator.planting import Patch, caught_in, handle, near, record, said_by

KNOWS, TWINS, SIGHT = "who knows what", "interference", "decisions from views"


def prototype(laps: int = 200) -> Iterable[Plan]:
    """Suspicion with a Chamber of Secrets beside everybody; some guards have shown themselves."""
    return near(("prototype", "suspicion"), "secrets", "vision", laps=laps)


def ultimate(laps: int = 200) -> Iterable[Plan]:
    """Suspicion with paranoia, cards and mirrors beside everybody."""
    return near(("ultimate", "suspicion"), "paranoia", "mac", "mac", "mirror", laps=laps)


def together(laps: int = 200) -> Iterable[Plan]:
    """Cooperation, with two cards a turn."""
    return near(("ultimate", "cooperation"), "robot", "robot", "timer", "tunnel", laps=laps)


def penalised(laps: int = 200) -> Iterable[Plan]:
    """Madness: a card after programming and before either round, and all of them penalties."""
    deck = [f"P{n}" for n in range(1, 8)]
    group, mad = ("ultimate", "cooperation"), {"madness": True}
    return near(group, laps=laps, options=mad, deck=deck, deck_rest=False)


def alone(laps: int = 200) -> Iterable[Plan]:
    """One player's programmes, which lie open."""
    return near(("bga", "solo"), "paranoia", "mirror", laps=laps)


def looking(laps: int = 200) -> Iterable[Plan]:
    """The cooperation in which all see what one looks at."""
    return near(("prototype", "cooperation"), "vision", laps=laps)


Games = Callable[..., Iterable[Plan]]


@pytest.mark.slow
@pytest.mark.parametrize("games", [prototype, ultimate, together, penalised, alone, looking])
@pytest.mark.parametrize("oracle", [KNOWS, TWINS, SIGHT])
def test_no_oracle_complains_without_a_fault(oracle: str, games: Games) -> None:
    assert unplanted(games)[oracle] == ""


@cache
def unplanted(games: Games) -> dict[str, str]:
    """What each oracle says of games in which all is right; they are played once for all."""
    return said_by((KNOWS, TWINS, SIGHT), games(laps=2))


def change(state: State, name: str, **facts: Any) -> None:
    """Change facts of a character behind everybody's back."""
    state.characters = {**state.characters, name: replace(state.characters[name], **facts)}


def tile(state: State, where: str, **facts: Any) -> None:
    """Change facts of a tile likewise."""
    state.grid = {**state.grid, where: replace(state.grid[where], **facts)}


# --- audiences ---


def _readable(patch: Patch, kind: type[Event], field: str, audience: Audience) -> None:
    """Have a secret field read by others than may."""
    patch.setattr(kind, "audiences", {**kind.audiences, field: audience})


@pytest.mark.parametrize(
    ("kind", "field", "games", "where", "secret"),
    [
        (more.ParanoiaBegan, "stack", ultimate, "stack", "stack"),
        (more.DeckShuffled, "cards", together, "play.deck", "deck"),
        (more.RolePeeked, "role", prototype, "role", "roles"),
        (more.TokenReplaced, "tokens", prototype, "program", "change"),
        (ev.ProgramSubmitted, "adrenaline", ultimate, "program", "adrenaline"),
    ],
)
def test_a_secret_that_everybody_may_read(
    kind: type[Event], field: str, games: Games, where: str, secret: str, monkeypatch: Patch
) -> None:
    _readable(monkeypatch, kind, field, Audience.EVERYONE)
    assert where in caught_in(KNOWS, games())
    assert f"can tell {secret}" in caught_in(TWINS, games())


def test_a_stack_that_its_own_player_may_read(monkeypatch: Patch) -> None:
    """Nobody knows the order, whose ever the tokens are (§4.11)."""
    honest = evolve_module.RECORDERS[more.ParanoiaBegan]

    def began(state: State, event: more.ParanoiaBegan) -> None:
        honest(state, event)
        c = state.characters[event.character]
        change(state, c.id, stack=c.stack or tuple(t for t in c.tokens if t not in c.lost))

    record(monkeypatch, more.ParanoiaBegan, began)
    assert "stack" in caught_in(KNOWS, ultimate())


def test_a_role_that_is_looked_at_in_vain(monkeypatch: Patch) -> None:
    _readable(monkeypatch, more.RolePeeked, "role", Audience.END)
    assert "role" in caught_in(KNOWS, prototype())


@pytest.mark.parametrize(
    ("kind", "games", "secret"),
    [
        (more.RolePeeked, prototype, "roles"),
        (more.CardDrawn, together, "deck"),
        (more.ActionPenalised, penalised, "programme"),
    ],
)
def test_an_event_that_tells_without_being_marked(
    kind: type[Event], games: Games, secret: str, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(kind, "publishes", False)
    assert f"can tell {secret}" in caught_in(TWINS, games())


# --- who may be told ---


def test_a_look_that_a_neighbour_shares(monkeypatch: Patch) -> None:
    """Only who looks learns what is there (§4.5)."""
    honest = Play.peek

    def peek(self: Play, name: str, where: str) -> None:
        honest(self, name, where)
        for c in self.state.occupants(self.character(name).cell or ""):
            if c.seat != self.character(name).seat and not self.state.grid[where].up:
                honest(self, c.id, where)

    monkeypatch.setattr(Play, "peek", peek)
    assert "and may not" in caught_in(KNOWS, ultimate())


def test_a_look_that_should_have_been_for_all(monkeypatch: Patch) -> None:
    """In the prototype's cooperation rooms that are looked at turn up (R120)."""

    def peek(self: Play, name: str, where: str) -> None:
        kind, seat = self.state.grid[where].kind or "", self.character(name).seat
        self.emit(ev.RoomPeeked(seat=seat, cell=where, kind=kind))

    monkeypatch.setattr(Play, "peek", peek)
    assert "not turned up" in caught_in(KNOWS, looking())


def test_a_look_that_turns_a_room_up(monkeypatch: Patch) -> None:
    honest = Play.peek

    def peek(self: Play, name: str, where: str) -> None:
        honest(self, name, where)
        if not self.state.grid[where].up:
            self.reveal(where)

    monkeypatch.setattr(Play, "peek", peek)
    assert "nobody is there" in caught_in(KNOWS, ultimate())


@pytest.mark.parametrize(("games", "complaint"), [(alone, "not laid open"), (together, "is shown")])
def test_programmes_that_lie_open_where_they_should_not(
    games: Games, complaint: str, monkeypatch: Patch
) -> None:
    """They do in the solo mode and nowhere else (R14)."""
    honest: Any = vars(Play)["mode"]

    def mode(self: Play) -> Any:
        right = honest.fget(self)
        return replace(right, open_programs=not right.open_programs)

    monkeypatch.setattr(Play, "mode", property(mode))
    assert complaint in caught_in(KNOWS, games())


def test_a_role_that_is_seen_from_anywhere(monkeypatch: Patch) -> None:
    """Only who is in a Chamber of Secrets sees a role (R62)."""
    monkeypatch.setitem(rooms.EFFECTS, "cold", rooms.EFFECTS["secrets"])
    assert "in no Chamber of Secrets" in caught_in(KNOWS, prototype())


def test_a_card_that_is_not_the_top_one(monkeypatch: Patch) -> None:
    honest = cards.draw_cards

    def draw_cards(game: Play, frame: Any) -> None:
        game.state.deck = None if game.state.deck is None else game.state.deck[::-1]
        honest(game, frame)

    handle(monkeypatch, DrawCard, draw_cards)
    assert caught_in(KNOWS, together())


# --- recording ---


def test_a_room_that_is_forgotten_when_it_turns_down(monkeypatch: Patch) -> None:
    honest = evolve_module.RECORDERS[more.RoomTurnedDown]

    def turned_down(state: State, event: more.RoomTurnedDown) -> None:
        kind = state.grid[event.cell].kind
        honest(state, event)
        if any(t.kind is None for t in state.grid.values()):
            tile(state, event.cell, kind=None)
        else:
            tile(state, event.cell, kind=kind)

    record(monkeypatch, more.RoomTurnedDown, turned_down)
    assert "play.grid" in caught_in(KNOWS, together())


def test_a_traitors_view_that_keeps_the_old_programme(monkeypatch: Patch) -> None:
    honest = evolve_module.RECORDERS[more.TokenReplaced]

    def changed(state: State, event: more.TokenReplaced) -> None:
        before = state.characters[event.character].program
        honest(state, event)
        if any(t.kind is None for t in state.grid.values()):
            change(state, event.character, program=before)

    record(monkeypatch, more.TokenReplaced, changed)
    assert "program" in caught_in(KNOWS, prototype())


# --- options and silence ---


def test_a_question_with_options_from_the_pile(monkeypatch: Patch) -> None:
    """In a M.A.C. Room nobody may see what comes next."""
    honest = choices.CHOICES["robot_order"]

    def options(state: State, ask: Ask) -> list[Option]:
        found = honest.options(state, ask)
        return found[1:] if state.deck and state.deck[0] < "M2" and len(found) > 2 else found

    monkeypatch.setitem(choices.CHOICES, "robot_order", replace(honest, options=options))
    assert caught_in("decisions from views", together())


def test_a_paranoid_who_is_spared_what_comes_next(monkeypatch: Patch) -> None:
    """Its next token is on no one's mind: an extra event that depends on it tells."""
    honest = actions.end_action

    def end_action(game: Play, frame: Any) -> None:
        honest(game, frame)
        c = game.character(frame.character)
        if c.stack and c.stack[0] in {"push", "control"}:
            game.emit(more.OfferRefused(character=c.id))

    monkeypatch.setattr(actions, "end_action", end_action)
    assert "can tell stack" in caught_in(TWINS, ultimate())


def test_a_penalty_that_strikes_in_silence(monkeypatch: Patch) -> None:
    """Whether the lost token is programmed must be said before anything follows from it."""

    def slot(*_: object) -> int:
        return 0

    honest = cards.penalise

    def penalise(game: Play, frame: Any) -> None:
        before = dict(game.state.characters)
        honest(game, frame)
        token = PENALTIES[frame.card].action
        for name, c in before.items():
            programmed = () if c.program is None else c.program.tokens or ()
            struck = token in game.character(name).lost and token not in c.lost
            if struck and token in programmed and token not in c.used and not c.paranoid:
                at = programmed.index(token) + 1
                game.emit(more.TokenDiscarded(character=name, slot=at, token=token))

    monkeypatch.setattr(cards, "_programmed_slot", slot)
    monkeypatch.setattr("games.room25.rules.event_cards.penalise", penalise)
    assert "can tell programme" in caught_in(TWINS, penalised())


# --- the agenda, which all may read ---


@pytest.mark.parametrize(
    ("games", "secret"),
    [
        (together, lambda game, _: (game.state.deck or ("",))[0]),
        (prototype, lambda game, name: game.character(name).role or ""),
    ],
    ids=["the next card", "who a guard is"],
)
def test_a_question_that_holds_a_secret(
    games: Games, secret: Callable[[Play, str], str], monkeypatch: Patch
) -> None:
    honest = Play.ask

    def ask(self: Play, kind: Question, character: str, **about: Any) -> None:
        honest(self, kind, character, **{"about": (secret(self, character),), **about})

    monkeypatch.setattr(Play, "ask", ask)
    assert "the agenda says" in caught_in("frames", games())
