"""The end of the game (§4.12; pure)."""

from __future__ import annotations

from collections.abc import Mapping

from events.kernel import Seat
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.state import State
from games.contract import Finish


def is_due(state: State) -> bool:
    """Whether a settle point ends the game now; while a fight lasts the test waits (C16)."""
    if state.end is not None or state.fight is not None:
        return False
    return len(state.credits) >= state.credits_need or not any(state.humans())


def ended(state: State) -> ev.GameEnded:
    """Who has won, among the seats whose players have not resigned."""
    active = state.active()
    most = max(state.scores[seat] for seat in active)
    leading = [seat for seat in active if state.scores[seat] == most]
    if len(leading) == 1:
        return _ended(state, "bloodiest", leading)
    played = max(state.played[seat] for seat in leading)
    winners = [seat for seat in leading if state.played[seat] == played]
    return _ended(state, "most_cinematic" if len(winners) == 1 else "shared", winners)


def finishes(state: State) -> Mapping[Seat, Finish]:
    """How each seat ended the game, each for itself; empty before it is over.

    By score, then by cards played; whoever has resigned comes last, whatever the score.
    """
    if state.end is None:
        return {}
    active = state.active()
    points = {seat: (state.scores[seat], state.played[seat]) for seat in active}
    found = {}
    for seat in state.seats:
        better = [each for each in active if seat not in points or points[each] > points[seat]]
        found[seat] = Finish(party=f"seat-{seat}", rank=len(better) + 1)
    return found


def last_standing(state: State) -> ev.GameEnded:
    """The only seat whose player has not resigned has won (C71)."""
    return _ended(state, "last_standing", list(state.active()))


def _ended(state: State, outcome: str, winners: list[int]) -> ev.GameEnded:
    return ev.GameEnded(
        outcome=outcome, winners=tuple(winners), scores=state.scores, played=state.played
    )
