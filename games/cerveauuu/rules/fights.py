"""Attack and support: who joins a fight before it is fought out (§4.8; pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.facts import zombie_events as ev
from games.cerveauuu.model.agenda import CombatWindow, Consents, Support
from games.cerveauuu.model.ids import by_id, is_human
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import Piece, Proposal, State
from games.cerveauuu.rules import combat
from games.cerveauuu.rules.asking import OpenQuestion, PublicAsking, SealedAsking
from games.cerveauuu.rules.combat import eating_order, running
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.pieces import adjacent, why_not_operational
from games.cerveauuu.rules.trees import Path, branch, leaf
from games.trees import parts_of

NONE: Final = "none"
PROPOSALS: Final = 2
"""A second proposal is the last one (§4.8.3)."""


def attack(play: Play, principal: str, target: str) -> None:
    """The attack is binding: humans join, then supporters are asked for (§4.8.1-3)."""
    play.emit(ev.AttackBegan(principal=principal, target=target))
    _humans_join(play)
    play.push(CombatWindow())
    if eligible(play.state, play.grid):
        _ask_for_support(play)


def _ask_for_support(play: Play) -> None:
    seat = principal_seat(play.state)
    play.push(Support(seat, play.question("support", seat)))


def principal_seat(state: State) -> Seat:
    """The seat that controls the principal.

    Raises:
        ValueError: the principal is no zombie.
    """
    seat = state.pieces[running(state).principal].controller
    if seat is None:
        raise ValueError("the principal is no zombie")
    return seat


def _humans_join(play: Play) -> None:
    """Humans with one operational zombie next to them, an attacker, join the target (§4.8.2)."""
    state, grid, fight = play.state, play.grid, running(play.state)
    if not is_human(fight.target):
        return
    zombies = [p.id for p in state.zombies() if p.operational]
    joining = []
    for human in state.humans():
        if human.operational and human.id not in fight.defenders:
            beside = [z for z in zombies if adjacent(state, grid, human.id, z)]
            if len(beside) == 1 and beside[0] in fight.attackers:
                joining.append(human.id)
    if joining:
        play.emit(ev.FightJoined(side="defenders", pieces=tuple(joining)))


def eligible(state: State, grid: Grid) -> tuple[str, ...]:
    """The zombies that may support: operational, without an attack, next to a defender (§4.8.3)."""
    return tuple(z.id for z in state.zombies() if why_no_support(state, grid, z) is None)


def why_no_support(state: State, grid: Grid, zombie: Piece) -> Why | None:
    """Why a piece may not support the attack."""
    if zombie.human:
        return Why.NOT_A_ZOMBIE
    fight = running(state)
    why = why_not_operational(zombie)
    if why is not None:
        return why
    if zombie.id in fight.defenders:
        return Why.IN_FIGHT
    if zombie.attacked:
        return Why.IN_FIGHT if zombie.id in fight.attackers else Why.ATTACKED
    beside = any(adjacent(state, grid, zombie.id, name) for name in fight.defenders)
    return None if beside else Why.NOT_ADJACENT


# --- proposals ---


def _question(_: State, frame: Support) -> OpenQuestion:
    return OpenQuestion(frame.id, "support", frame.seat)


def _options(
    state: State, grid: Grid, _: Support, __: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    if not path:
        return (leaf((), NONE), *_sets(state, eligible(state, grid)))
    human = victim_behind(state, grid, path)
    if human is None:
        return ()
    make = leaf if len(path) == len(eaten(state)) else branch
    eaters = by_id(z.id for z in state.zombies() if why_no_eater(state, path, z) is None)
    return tuple(make(path, f"{human}-{z}", human=human, eater=z) for z in eaters)


def victim_behind(state: State, grid: Grid, path: Path) -> str | None:
    """Whose eater is to be said behind a path; None: there is no such branch."""
    shared = eaten(state)
    if len(path) > len(shared) or (len(path) > 1 and not _offered(state, grid, path)):
        return None
    if path[0] not in {each.id for each in _sets(state, eligible(state, grid))}:
        return None
    return shared[len(path) - 1]


def why_no_eater(state: State, path: Path, piece: Piece) -> Why | None:
    """Why a piece eats no defender if those support that a path begins with."""
    if piece.human:
        return Why.NOT_A_ZOMBIE
    attacks = piece.id in {running(state).principal, *path[0].split("-")}
    return None if attacks else Why.NOT_INVITED


def _offered(state: State, grid: Grid, path: Path) -> bool:
    """Whether each part of a share names its defender and one of the attackers to be."""
    eaters = {running(state).principal, *path[0].split("-")} & {
        running(state).principal,
        *eligible(state, grid),
    }
    return all(
        part in {f"{human}-{z}" for z in eaters}
        for part, human in zip(path[1:], eaten(state), strict=False)
    )


def eaten(state: State) -> tuple[str, ...]:
    """The defenders in the order in which they would be eaten; none if the target is a zombie."""
    fight = running(state)
    return eating_order(fight, fight.defenders) if is_human(fight.target) else ()


def _sets(state: State, zombies: tuple[str, ...]) -> Iterator[Option]:
    make = branch if eaten(state) else leaf
    for size in range(1, len(zombies) + 1):
        for chosen in combinations(zombies, size):
            yield make((), "-".join(chosen), invited=list(chosen))


def _propose(play: Play, _: Support, __: OpenQuestion, option: str) -> None:
    proposal = _proposal(option)
    play.emit(ev.SupportProposed(proposal=proposal))
    if not proposal.invited:
        _settle(play, ())
    elif _others(play.state, proposal.invited):
        play.push(Consents(f"{play.fresh_prefix()}-consent"))
    else:
        _adopt(play, proposal)


def _proposal(option: str) -> Proposal:
    if option == NONE:
        return Proposal(invited=(), share={})
    invited, *shares = parts_of(option)
    pairs = [part.partition("-") for part in shares]
    share = {human: zombie for human, _, zombie in pairs}
    return Proposal(invited=tuple(invited.split("-")), share=share)


def _others(state: State, invited: Iterable[str]) -> tuple[Seat, ...]:
    """The seats, other than the principal's, that control somebody who is invited."""
    own = principal_seat(state)
    seats = {state.pieces[name].controller for name in invited} - {own, None}
    return tuple(seat for seat in state.order_from(own) if seat in seats)


def _adopt(play: Play, proposal: Proposal) -> None:
    play.emit(ev.SupportSettled(supporters=proposal.invited, share=proposal.share))


def _settle(play: Play, supporters: tuple[str, ...]) -> None:
    """These support, and every victim is the principal's."""
    play.emit(ev.SupportSettled(supporters=supporters, share={}))


SUPPORT: Final = PublicAsking(
    question=_question, options=_options, default=lambda *_: NONE, answer=_propose
)
"""What the principal's seat is asked."""


# --- consents ---


def _consent_questions(state: State, _: Grid, frame: Consents) -> tuple[OpenQuestion, ...]:
    fight = running(state)
    invited = fight.proposal.invited if fight.proposal is not None else ()
    return tuple(
        OpenQuestion(
            f"{frame.id}-s{seat}", "consent", seat, sealed=True, answered=seat in fight.consents
        )
        for seat in _others(state, invited)
        if seat not in state.dormant
    )


def _consent_options(
    _: State, __: Grid, ___: Consents, ____: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    return () if path else (Option("accept"), Option("decline"))


def _consent(play: Play, _: Consents, question: OpenQuestion, option: str) -> None:
    play.emit(ev.ConsentGiven(seat=question.seat, accepts=option == "accept"))


def _judge(play: Play, _: Consents) -> None:
    fight = running(play.state)
    proposal = fight.proposal
    if proposal is None:
        raise ValueError("consent to no proposal")
    others = _others(play.state, proposal.invited)
    dormant = play.state.dormant
    accepts = {s: bool(fight.consents.get(s)) and s not in dormant for s in others}
    play.emit(ev.ConsentsJudged(accepts=accepts))
    if all(accepts.values()):
        _adopt(play, proposal)
    elif fight.asked < PROPOSALS:
        _ask_for_support(play)
    else:
        own, pieces = principal_seat(play.state), play.state.pieces
        _settle(play, tuple(z for z in proposal.invited if pieces[z].controller == own))


CONSENTS: Final = SealedAsking(
    questions=_consent_questions,
    options=_consent_options,
    default=lambda *_: "decline",
    answer=_consent,
    close=_judge,
    key=lambda _, frame: frame.id,
)
"""What those are asked whose zombies are invited."""


def fix_sides(play: Play) -> Seat:
    """Supports are fixed: humans join once more, and the fight is weighed (§4.8.4, §4.9.1).

    Returns:
        the principal's seat, the trigger of window C.
    """
    _humans_join(play)
    combat.weigh(play)
    return principal_seat(play.state)
