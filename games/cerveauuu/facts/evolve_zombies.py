"""How events of wandering, goes and fights are recorded in the state (pure)."""

from __future__ import annotations

from msgspec.structs import replace

from events.kernel import Seat
from games.cerveauuu.facts import zombie_events as ev
from games.cerveauuu.facts.recording import add, add_to, change, known, remove
from games.cerveauuu.model.ids import by_id
from games.cerveauuu.model.state import Activation, Fight, Piece, State, Wandering
from games.dispatch import Handlers, on


def _wandering(s: State, _: ev.WanderingBegan) -> None:
    s.wandering = Wandering()


def _wandered(s: State, e: ev.HumanWandered) -> None:
    change(s, (e.human,), cell=e.path[-1], moved=True)
    if s.wandering is not None:
        s.wandering = replace(s.wandering, turns=s.wandering.turns + 1, passes=0)


def _passed(s: State, _: ev.WanderPassed) -> None:
    if s.wandering is not None:
        w = s.wandering
        s.wandering = replace(w, turns=w.turns + 1, passes=w.passes + 1)


def _dealt(s: State, e: ev.BatchDealt) -> None:
    if s.wandering is not None:
        s.wandering = replace(s.wandering, batch=e.humans, asked=e.asked)


def _answered(s: State, e: ev.BatchAnswered) -> None:
    if s.wandering is not None:
        answers = {**s.wandering.answers, e.human: known(e.choice)}
        s.wandering = replace(s.wandering, answers=answers)


def _batch(s: State, e: ev.BatchJudged) -> None:
    for name, path in e.paths.items():
        change(s, (name,), cell=path[-1], moved=True)


def _wandering_ended(s: State, _: ev.WanderingEnded) -> None:
    s.wandering = None


def _go(s: State, e: ev.GoBegan) -> None:
    s.go, s.last_go = e.seat, e.seat


def _go_ended(s: State, _: ev.GoEnded) -> None:
    s.go = None


def _activated(s: State, e: ev.ZombieActivated) -> None:
    zombie = s.pieces[e.zombie]
    change(s, (e.zombie,), activated=True)
    s.activation = Activation(
        zombie=e.zombie,
        rest=e.path,
        attack=e.attack,
        trail=(zombie.cell,),
        owes=zombie.must_leave,
    )


def _path(s: State, e: ev.PathChanged) -> None:
    if s.activation is not None:
        s.activation = replace(s.activation, rest=e.path, attack=e.attack)


def _halted(s: State, _: ev.MovementHalted) -> None:
    if s.activation is not None:
        s.activation = replace(s.activation, halted=True)


def _stopped(s: State, e: ev.MovementStopped) -> None:
    if s.activation is not None:
        s.activation = replace(s.activation, stopped=e.stopped)


def _activation_ended(s: State, _: ev.ActivationEnded) -> None:
    s.activation = None


def _stood_down(s: State, e: ev.ZombiesStoodDown) -> None:
    change(s, e.zombies, activated=True)


def _attack(s: State, e: ev.AttackBegan) -> None:
    change(s, (e.principal,), activated=True, attacked=True)
    s.fight = Fight(e.principal, e.target, attackers=(e.principal,), defenders=(e.target,))


def _joined(s: State, e: ev.FightJoined) -> None:
    fight = s.fight
    if fight is None:
        return
    if e.side == "attackers":
        fight = replace(fight, attackers=by_id((*fight.attackers, *e.pieces)))
    else:
        fight = replace(fight, defenders=by_id((*fight.defenders, *e.pieces)))
    if e.by_card:
        exempt = {**fight.exempt, **{name: s.pieces[name].cell for name in e.pieces}}
        fight = replace(fight, exempt=exempt)
    s.fight = fight


def _left(s: State, e: ev.FightLeft) -> None:
    fight = s.fight
    if fight is not None:
        s.fight = replace(
            fight,
            attackers=tuple(p for p in fight.attackers if p not in e.pieces),
            defenders=tuple(p for p in fight.defenders if p not in e.pieces),
            exempt={p: cell for p, cell in fight.exempt.items() if p not in e.pieces},
        )


def _proposed(s: State, e: ev.SupportProposed) -> None:
    if s.fight is not None:
        s.fight = replace(s.fight, proposal=e.proposal, consents={}, asked=s.fight.asked + 1)


def _consent(s: State, e: ev.ConsentGiven) -> None:
    if s.fight is not None:
        consents: dict[Seat, bool | None] = {**s.fight.consents, e.seat: known(e.accepts)}
        s.fight = replace(s.fight, consents=consents)


def _consents(s: State, e: ev.ConsentsJudged) -> None:
    if s.fight is not None:
        s.fight = replace(s.fight, consents=dict(e.accepts))


def _support(s: State, e: ev.SupportSettled) -> None:
    if s.fight is None:
        return
    change(s, e.supporters, activated=True, attacked=True)
    s.fight = replace(
        s.fight,
        attackers=by_id((*s.fight.attackers, *e.supporters)),
        share=e.share,
        proposal=None,
        consents={},
    )


def _weighed(s: State, e: ev.FightWeighed) -> None:
    if s.fight is not None:
        s.fight = replace(s.fight, totals=e.totals, winner=e.winner)


def _resolved(s: State, e: ev.FightResolved) -> None:
    if s.fight is not None:
        s.fight = replace(s.fight, winner=e.winner)


def _eaten(s: State, e: ev.HumanEaten) -> None:
    cell = s.pieces[e.human].cell
    remove(s, e.human)
    add(s, Piece(id=e.zombie, cell=cell, controller=e.seat, blocked=True))
    s.scores = add_to(s.scores, e.seat, 1)


def _fight_ended(s: State, _: ev.FightEnded) -> None:
    s.fight = None


ZOMBIE_RECORDERS: Handlers[State, ev.ZombieEvent, None] = (
    on(ev.WanderingBegan, _wandering)
    | on(ev.HumanWandered, _wandered)
    | on(ev.WanderPassed, _passed)
    | on(ev.BatchDealt, _dealt)
    | on(ev.BatchAnswered, _answered)
    | on(ev.BatchJudged, _batch)
    | on(ev.WanderingEnded, _wandering_ended)
    | on(ev.GoBegan, _go)
    | on(ev.GoEnded, _go_ended)
    | on(ev.ZombieActivated, _activated)
    | on(ev.PathChanged, _path)
    | on(ev.MovementHalted, _halted)
    | on(ev.MovementStopped, _stopped)
    | on(ev.ActivationEnded, _activation_ended)
    | on(ev.ZombiesStoodDown, _stood_down)
    | on(ev.AttackBegan, _attack)
    | on(ev.FightJoined, _joined)
    | on(ev.FightLeft, _left)
    | on(ev.SupportProposed, _proposed)
    | on(ev.ConsentGiven, _consent)
    | on(ev.ConsentsJudged, _consents)
    | on(ev.SupportSettled, _support)
    | on(ev.FightWeighed, _weighed)
    | on(ev.FightResolved, _resolved)
    | on(ev.HumanEaten, _eaten)
    | on(ev.FightEnded, _fight_ended)
)
"""How each of them is recorded."""
