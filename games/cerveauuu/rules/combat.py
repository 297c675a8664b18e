"""The fight itself: who is in it, who wins, who dies, who eats (§4.9; pure)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from games.cerveauuu.board import Grid
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.ids import ZOMBIE, by_id, is_human, piece_id, rank
from games.cerveauuu.model.state import Fight, State
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.drawing import draw_one
from games.cerveauuu.rules.effects import fire
from games.cerveauuu.rules.pieces import adjacent
from games.cerveauuu.rules.stats import stat, tie

SAFE: Final = frozenset({"melee", "any"})
"""Protections from losing a fight."""


def running(state: State) -> Fight:
    """The fight under way.

    Raises:
        ValueError: there is none.
    """
    if state.fight is None:
        raise ValueError("there is no fight")
    return state.fight


class Balance(Struct, frozen=True):
    """The totals of a fight and who would win now: ``winner`` None if there is no result."""

    attack: int
    defence: int
    winner: more.Side | None


def after_card(play: Play) -> None:
    """What a card in window C leaves of the fight (§4.9.2), and how it stands."""
    keep_up(play)
    weigh(play)


def weigh(play: Play) -> None:
    """Tell everybody how the fight stands (§4.9.1)."""
    balance = balance_of(play.state, play.grid)
    totals = (balance.attack, balance.defence)
    fight = running(play.state)
    if (totals, balance.winner) != (fight.totals, fight.winner):
        play.emit(more.FightWeighed(totals=totals, winner=balance.winner))


def keep_up(play: Play) -> None:
    """Upkeep: who can no longer fight leaves, until nothing changes (§4.9.2)."""
    fight = running(play.state)
    left = _remaining(play.state, play.grid, doomed=True)
    gone = {*fight.attackers, *fight.defenders} - {*left.attackers, *left.defenders}
    if gone:
        play.emit(more.FightLeft(pieces=by_id(gone)))


class _Sides(Struct, frozen=True):
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


def _remaining(state: State, grid: Grid, *, doomed: bool) -> _Sides:
    """Who is left of a fight after upkeep; ``doomed``: those who are to die count still."""
    fight = running(state)
    sides = _Sides(fight.attackers, fight.defenders)
    while True:
        kept = _Sides(
            tuple(n for n in sides.attackers if _can_stay(state, grid, n, sides, doomed=doomed)),
            tuple(n for n in sides.defenders if _can_stay(state, grid, n, sides, doomed=doomed)),
        )
        if kept == sides:
            return kept
        sides = kept


def _can_stay(state: State, grid: Grid, name: str, sides: _Sides, *, doomed: bool) -> bool:
    fight, piece = running(state), state.pieces.get(name)
    if piece is None or (piece.blocked and name != fight.target) or (piece.doomed and not doomed):
        return False
    if fight.exempt.get(name) == piece.cell:
        return True
    enemies = sides.defenders if name in sides.attackers else sides.attackers
    return any(enemy in state.pieces and adjacent(state, grid, name, enemy) for enemy in enemies)


def balance_of(state: State, grid: Grid) -> Balance:
    """The totals now, and the result if the window closed now: dooms, upkeep, then §4.9.4."""
    fight = running(state)
    attack, defence = (
        sum(_combat(state, grid, name) for name in side)
        for side in (fight.attackers, fight.defenders)
    )
    return Balance(attack, defence, _winner(state, grid, _remaining(state, grid, doomed=False)))


def _combat(state: State, grid: Grid, name: str) -> int:
    piece = state.pieces.get(name)
    if piece is None or piece.doomed or (piece.blocked and name != running(state).target):
        return 0
    return stat(state, grid, name, "combat")


def _winner(state: State, grid: Grid, sides: _Sides) -> more.Side | None:
    if not sides.attackers or not sides.defenders:
        return None
    attack = sum(_combat(state, grid, name) for name in sides.attackers)
    defence = sum(_combat(state, grid, name) for name in sides.defenders)
    if attack != defence:
        return "attackers" if attack > defence else "defenders"
    return _winner_of_tie(state, grid, sides)


def _winner_of_tie(state: State, grid: Grid, sides: _Sides) -> more.Side | None:
    fight = running(state)
    against_human = is_human(fight.target)
    ours = any(
        said.wins or (against_human and not said.deprived)
        for said in (tie(state, grid, name) for name in sides.attackers)
    )
    theirs = any(tie(state, grid, name).wins for name in sides.defenders)
    if ours != theirs:
        return "attackers" if ours else "defenders"
    if not ours:
        return None
    if fight.last_side is not None:
        return "attackers" if fight.last_side == "attackers" else "defenders"
    return "attackers" if against_human else None


def decide(play: Play) -> None:
    """Window C has closed and the doomed are gone: the result and all that comes of it (§4.9.3)."""
    keep_up(play)
    balance = balance_of(play.state, play.grid)
    fight = running(play.state)
    losers = {"attackers": fight.defenders, "defenders": fight.attackers, None: ()}[balance.winner]
    killed = tuple(n for n in losers if not SAFE & set(play.state.pieces[n].protections))
    play.emit(more.FightResolved(winner=balance.winner, killed=killed))
    eaters = _feed(play, fight, killed)
    if balance.winner is not None:
        winners = fight.attackers if balance.winner == "attackers" else fight.defenders
        fire(play, frozenset(winners), frozenset(losers), frozenset(eater for eater, _ in eaters))
    for _, seat in eaters:
        draw_one(play, seat)
    lasting = {each.lasts for each in play.state.modifiers}
    if "combat" in lasting | {each.lasts for each in play.state.triggers}:
        play.emit(cards.EffectsEnded(lasts="combat"))
    play.emit(more.FightEnded())


def _feed(play: Play, fight: Fight, killed: tuple[str, ...]) -> list[tuple[str, int]]:
    """Humans killed are eaten, zombies killed are removed; the eaters with their seats (§4.9.6)."""
    eaters = []
    for human in eating_order(fight, tuple(name for name in killed if is_human(name))):
        eater = _eater(fight, human)
        seat = play.state.pieces[eater].controller
        if seat is None:
            raise ValueError("a human attacks")
        zombie = piece_id(ZOMBIE, play.state.counters[ZOMBIE] + 1)
        play.emit(more.HumanEaten(seat=seat, human=human, eater=eater, zombie=zombie))
        eaters.append((eater, seat))
    for name in killed:
        if not is_human(name):
            play.emit(ev.PieceLost(piece=name, cause="melee"))
    return eaters


def eating_order(fight: Fight, humans: tuple[str, ...]) -> tuple[str, ...]:
    """The target first, then by id (§4.9.6)."""
    first = tuple(name for name in humans if name == fight.target)
    return (*first, *by_id(name for name in humans if name != fight.target))


def _eater(fight: Fight, human: str) -> str:
    """Who eats: as shared, else the principal, else the attacker with the lowest id."""
    for name in (fight.share.get(human), fight.principal):
        if name in fight.attackers:
            return str(name)
    return min(fight.attackers, key=rank)
