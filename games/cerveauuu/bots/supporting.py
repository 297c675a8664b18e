"""Whom to invite into a fight, and whether to come (§4.8.3, §12.9; pure)."""

from __future__ import annotations

from itertools import combinations

from games.cerveauuu.bots.front import Front
from games.cerveauuu.bots.mind import Mind
from games.cerveauuu.model.ids import by_id, is_human
from games.cerveauuu.rules.combat import eating_order, running
from games.cerveauuu.rules.fights import NONE


def propose(mind: Mind) -> str:
    """As few as it takes, our own first; victims are dealt in turn, the first to us."""
    fight = running(mind.state)
    front = Front(mind.state, mind.grid)
    if front.prospect(fight.principal, fight.target).wins:
        return NONE
    pieces = mind.state.pieces
    able = by_id({z for o in mind.decision.options if o.id != NONE for z in o.id.split("-")})
    own = [z for z in able if pieces[z].controller == mind.seat]
    own.sort(key=lambda z: not pieces[z].activated)
    others = [z for z in able if z not in own] if fight.asked == 0 else []
    tries = [own[:n] for n in range(1, len(own) + 1)]
    tries += [[*own, *more] for n in range(1, len(others) + 1) for more in combinations(others, n)]
    for helpers in tries:
        muster = front.prospect(fight.principal, fight.target, by_id(helpers))
        if muster.wins:
            return _proposal(mind, by_id(helpers))
    return NONE


def _proposal(mind: Mind, helpers: tuple[str, ...]) -> str:
    fight = running(mind.state)
    if not is_human(fight.target):
        return mind.leaf("-".join(helpers))
    eaters = _dealt(mind, (fight.principal, *helpers))
    shared = eating_order(fight, fight.defenders)
    parts = [f"{human}-{eaters[i % len(eaters)]}" for i, human in enumerate(shared)]
    return mind.leaf("-".join(helpers), *parts)


def _dealt(mind: Mind, attackers: tuple[str, ...]) -> list[str]:
    """One attacker of each seat, in the order of joining."""
    first: dict[int | None, str] = {}
    for name in attackers:
        first.setdefault(mind.state.pieces[name].controller, name)
    return list(first.values())


def consent(mind: Mind) -> str:
    """Yes, if a victim is ours and the fight is won."""
    fight = running(mind.state)
    proposal = fight.proposal
    if proposal is None:
        raise ValueError("consent to no proposal")
    front = Front(mind.state, mind.grid)
    muster = front.prospect(fight.principal, fight.target, proposal.invited)
    pieces = mind.state.pieces
    ours = any(pieces[eater].controller == mind.seat for eater in proposal.share.values())
    return "accept" if ours and muster.wins else "decline"
