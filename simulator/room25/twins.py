"""Secrets to swap: what a recorded game could have been like without the viewer's noticing.

Each kind of secret of §4.11 has a twin: rooms, roles (identities too), clues, programmes with their
adrenaline, a traitor's change, the order of the draw pile and of a paranoia stack, the game key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Event, Option, Viewer
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import State
from games.room25.rules.programming import ADRENALINE, JOIN, NOTHING
from games.table.events import ChooseSecretly, OpenTable
from simulator.room25.knowledge import viewer_of
from simulator.room25.knowledge_table import KnowledgeTable
from simulator.room25.run import Run

Doctor = Callable[[Event], Event]
"""Changes a secret where it is dealt, drawn or shuffled."""

TILES: Final = 25


class Swap(Struct, frozen=True):
    """A twin world: what differs, for which viewer, and how.

    ``doctor`` changes what is dealt; ``commands`` are given instead of others, by their place
    among the steps; ``seed`` is what is drawn from, whatever the key.
    """

    what: str
    viewer: Viewer
    doctor: Doctor | None = None
    commands: Mapping[int, ChooseSecretly | OpenTable] = {}
    seed: bytes | None = None


def swaps(match: Run, rng: Random) -> list[Swap]:
    """Twin worlds of a game, aimed at what others know and the viewer does not."""
    play: State = match.state.play
    seats = sorted(match.state.seats)
    if not play.grid or not seats:
        return []
    viewer = viewer_of(match, rng.choice([None, *seats]))
    found = [make(match, rng, viewer) for make in SECRETS]
    return [swap for swap in found if swap is not None]


# --- rooms ---


def _first_known(match: Run, viewer: Viewer) -> tuple[dict[int, int], set[int]]:
    """When the viewer learns what each tile is (event number), and which tiles others saw first."""
    ledger = KnowledgeTable()
    known: dict[int, int] = {}
    others: set[int] = set()
    for number, event in enumerate(match.log):
        ledger.note(event)
        if isinstance(event, ev.RoomPeeked) and event.seat != viewer.seat:
            others |= {ledger.tile(event.cell)} - known.keys()
        if ledger.news == "play.grid" or isinstance(event, ev.ComplexLaid):
            for tile in range(TILES):
                if ledger.knows_room(tile, viewer.seat):
                    known.setdefault(tile, number)
    return known, others


def _rooms(match: Run, rng: Random, viewer: Viewer) -> Swap | None:
    """Two face-down rooms change places; one, if possible, that somebody else has looked at."""
    known, others = _first_known(match, viewer)
    laid = next(e for e in match.log if isinstance(e, ev.ComplexLaid))
    kinds = list(laid.kinds or ())
    hidden = [t for t in range(TILES) if f"r{t // 5}c{t % 5}" not in laid.shown]
    aims = [[t for t in hidden if t in known and t in others], [t for t in hidden if t in known]]
    rng.shuffle(aims)
    seen = aims[0] or aims[1] or hidden
    if not seen:
        return None
    first = rng.choice(seen)
    never = len(match.log)
    late = [t for t in hidden if known.get(t, never) >= known.get(first, never)]
    rest = [t for t in late if kinds[t] != kinds[first]]
    if not rest:
        return None
    second = rng.choice(rest)
    kinds[first], kinds[second] = kinds[second], kinds[first]

    def doctor(event: Event) -> Event:
        return replace(event, kinds=tuple(kinds)) if isinstance(event, ev.ComplexLaid) else event

    return Swap("rooms", viewer, doctor)


# --- roles ---


def _roles(match: Run, rng: Random, viewer: Viewer) -> Swap | None:
    """Two roles change hands, or one with a tile that nobody got."""
    roles = {e.character: str(e.role) for e in match.log if isinstance(e, ev.RoleDealt)}
    left = next((e for e in match.log if isinstance(e, ev.RolesLeftOver)), None)
    if not roles or left is None:
        return None
    own = {c.id for c in match.play.characters.values() if c.seat == viewer.seat}
    others = [name for name in roles if name not in own]
    undealt = list(left.roles or ())
    pairs = [(a, b) for a in others for b in others if a < b and roles[a] != roles[b]]
    spare = [(a, i) for a in others for i, role in enumerate(undealt) if role != roles[a]]
    if spare and (not pairs or rng.randrange(2)):
        name, place = rng.choice(spare)
        roles[name], undealt[place] = undealt[place], roles[name]
    elif pairs:
        a, b = rng.choice(pairs)
        roles[a], roles[b] = roles[b], roles[a]
    else:
        return None

    def doctor(event: Event) -> Event:
        if isinstance(event, ev.RoleDealt):
            return replace(event, role=roles[event.character])
        if isinstance(event, ev.RolesLeftOver):
            return replace(event, roles=tuple(undealt))
        return event

    return Swap("roles", viewer, doctor)


# --- what others hand in ---


def _sorts(options: Sequence[Option], chosen: str) -> dict[str, list[str]]:
    """Other choices by what changes: the aim alone, or a programme's adrenaline alone."""
    parts = chosen.split(JOIN)
    boosted = ADRENALINE in parts
    alike, boosts = [], []
    for other in (o.id for o in options if o.id != chosen):
        found = other.split(JOIN)
        tokens = [p for p in found if p not in {ADRENALINE, NOTHING}]
        mine = [p for p in parts if p not in {ADRENALINE, NOTHING}]
        if (ADRENALINE in found) != boosted:
            boosts += [other] if tokens == mine else []
        elif len(tokens) == len(mine) and "keep" not in {other, chosen}:
            alike.append(other)
    return {"": alike, "adrenaline": boosts}


def _choices(match: Run, viewer: Viewer) -> dict[str, list[tuple[int, ChooseSecretly]]]:
    """What others have chosen in secret, by what it is."""
    found: dict[str, list[tuple[int, ChooseSecretly]]] = {}
    for number, step in enumerate(match.steps):
        command = step.command
        if isinstance(command, ChooseSecretly) and step.refusal is None:
            if command.decision.startswith("clue"):
                what = "clue"
            else:
                what = "programme" if "-program-" in command.decision else "change"
            if command.seat != viewer.seat:
                found.setdefault(what, []).append((number, command))
    return found


def _struck(match: Run) -> set[str]:
    """The programmes whose owner lost an action in the same turn (§6.4), by decision."""
    turn, found = 0, set()
    for event in match.log:
        if isinstance(event, ev.TurnBegan | ev.SituationSet):
            turn = event.turn
        elif isinstance(event, more.ActionPenalised):
            found.add(f"t{turn}-program-{event.character}")
    return found


def _choice(match: Run, rng: Random, viewer: Viewer) -> Swap | None:
    """Somebody else hands in another programme of the same length, or another clue.

    Or a programme with the same tokens, but with adrenaline or without; or a traitor changes its
    programme otherwise.
    """
    choices = _choices(match, viewer)
    if not choices:
        return None
    what = rng.choice(sorted(choices))
    struck = _struck(match)
    aimed = [found for found in choices[what] if found[1].decision in struck]
    number, command = rng.choice(aimed if aimed and rng.randrange(2) else choices[what])
    before = match.steps[number].before
    options = next(
        d.options for d in match.table.decisions(before, command.seat) if d.id == command.decision
    )
    sorts = {name: ids for name, ids in _sorts(options, str(command.option)).items() if ids}
    if not sorts:
        return None
    sort = rng.choice(sorted(sorts))
    changed = replace(command, option=rng.choice(sorts[sort]))
    return Swap(sort or what, viewer, commands={number: changed})


# --- what lies in a secret order ---


def _reordered(
    what: str,
    viewer: Viewer,
    rng: Random,
    event: more.DeckShuffled | more.ParanoiaBegan,
    field: str,
) -> Swap:
    """The first things of a secret order change places with others."""
    order = list(getattr(event, field))
    first = rng.randrange(min(3, len(order) - 1))
    second = rng.randrange(first + 1, len(order))
    order[first], order[second] = order[second], order[first]
    changed = replace(event, **{field: tuple(order)})
    return Swap(what, viewer, lambda found: changed if found == event else found)


def _deck(match: Run, rng: Random, viewer: Viewer) -> Swap | None:
    """Two cards of a draw pile change places."""
    piles = [e for e in match.log if isinstance(e, more.DeckShuffled) and e.count > 1]
    return _reordered("deck", viewer, rng, rng.choice(piles), "cards") if piles else None


def _stack(match: Run, rng: Random, viewer: Viewer) -> Swap | None:
    """Two tokens of a paranoia stack change places; not even its player knows their order."""
    stacks = [e for e in match.log if isinstance(e, more.ParanoiaBegan) and e.stacked > 1]
    return _reordered("stack", viewer, rng, rng.choice(stacks), "stack") if stacks else None


def _key(match: Run, _: Random, viewer: Viewer) -> Swap | None:
    """Another game key, with the same draws."""
    number, command = next(
        (n, s.command)
        for n, s in enumerate(match.steps)
        if isinstance(s.command, OpenTable) and s.events
    )
    scenario = match.state.situation or {}
    if scenario.get("seed") is not None:
        return None
    changed = replace(command, key="ab" * 32)
    return Swap("key", viewer, commands={number: changed}, seed=match.table.seed(match.state))


SECRETS: Final[tuple[Callable[[Run, Random, Viewer], Swap | None], ...]] = (
    _rooms,
    _roles,
    _choice,
    _deck,
    _stack,
    _key,
)
"""The kinds of secrets."""
