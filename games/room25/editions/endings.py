"""Who may escape, and how a game ends: one small strategy for each row of §4.10 (pure)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from events.kernel import Seat
from games.room25.model.catalogue import EXIT, PRISONER, is_guard
from games.room25.model.rulebook import EndNow, Escape
from games.room25.model.state import Character, End, State


def inside(state: State, members: Sequence[Character]) -> list[Character]:
    """Those who stand in the face-up Room 25."""
    where = state.where_kind(EXIT)
    return [c for c in members if where is not None and c.cell == where]


def outside(state: State, members: Sequence[Character]) -> list[Character]:
    """The others, dead or alive."""
    where = state.where_kind(EXIT)
    return [c for c in members if where is None or c.cell != where]


def missing(state: State, members: Sequence[Character]) -> int:
    """How many of a side are missing: the eliminated, and the living outside Room 25 (§4.10)."""
    return len(outside(state, members))


def is_last_turn(state: State) -> bool:
    """Whether the running turn is the last (§3.4)."""
    return state.turn == state.last_turn


def everybody(state: State) -> tuple[Character, ...]:
    """All characters of the game, dead or alive."""
    return tuple(state.characters.values())


def seats_of(members: Sequence[Character]) -> tuple[Seat, ...]:
    """The seats of these characters, in order."""
    return tuple(sorted({c.seat for c in members}))


def _end(outcome: str, winners: Sequence[Character] = ()) -> End:
    return End(outcome, seats_of(winners))


# --- suspicion (all rulebooks) ---


def _prisoners(state: State) -> list[Character]:
    return [c for c in everybody(state) if c.role == PRISONER]


def suspicion_escape(state: State, _: Character) -> End | None:
    """Every prisoner inside, or all but one on the last turn; guards inside do not matter (R93)."""
    prisoners = _prisoners(state)
    allowed = 1 if is_last_turn(state) else 0
    return _end("prisoners", prisoners) if missing(state, prisoners) <= allowed else None


def _prisoners_lost(state: State) -> End:
    guards = [c for c in everybody(state) if is_guard(c.role)]
    return _end("guards", guards) if guards else _end("complex")


def suspicion_now(state: State) -> End | None:
    """Two prisoners dead. Both are public by then: the chain of §4.9 has shown them."""
    dead = [c for c in everybody(state) if not c.alive and c.role_public and c.role == PRISONER]
    return _prisoners_lost(state) if len(dead) >= 2 else None  # noqa: PLR2004


def suspicion_last(state: State) -> End:
    """Nobody escaped: the guards win, dead or alive (R82), or the complex if none was dealt."""
    return _prisoners_lost(state)


# --- cooperation and solo ---


def complex_wins(_: State) -> End:
    """The complex keeps everybody."""
    return _end("complex")


def deaths_lose(limit: int) -> EndNow:
    """The complex wins as soon as ``limit`` characters are dead."""

    def end(state: State) -> End | None:
        return _end("complex") if len(state.dead) >= limit else None

    return end


def survivors_escape(losses: int) -> Escape:
    """All the living inside with at most ``losses`` dead; a partial victory if one is (R88)."""

    def escape(state: State, _: Character) -> End | None:
        members = everybody(state)
        dead = [c for c in members if not c.alive]
        if len(dead) > losses or missing(state, members) > len(dead):
            return None
        return _end("players_partial" if dead else "players", members)

    return escape


def key_escape(state: State, _: Character) -> End | None:
    """The key turned and everybody alive and inside (§4.10, the editions with a key room)."""
    members = everybody(state)
    ready = state.key_activated and missing(state, members) == 0
    return _end("players", members) if ready else None


def scored_escape(state: State, _: Character) -> End | None:
    """Everybody, or whoever is inside on the last turn; 3 points each and 1 a turn left (R89)."""
    members = everybody(state)
    escaped = len(inside(state, members))
    complete = escaped == len(members)
    if not complete and not (escaped and is_last_turn(state)):
        return None
    score = 3 * escaped + state.last_turn - state.turn
    return End("players" if complete else "players_partial", seats_of(members), score)


def nobody_left(state: State) -> End | None:
    """The complex wins when everybody is dead; there is a score, and it is nought."""
    return End("complex", (), 0) if not state.living() else None


def complex_scores(_: State) -> End:
    """Nobody got out: no points."""
    return End("complex", (), 0)


def majority_escape(state: State, _: Character) -> End | None:
    """All four inside, or three on the last turn (R90)."""
    members = everybody(state)
    allowed = 1 if is_last_turn(state) else 0
    return _end("players", members) if missing(state, members) <= allowed else None


# --- competition and team ---


def teams(state: State) -> dict[str, list[Character]]:
    """The members of each team, dead or alive, teams in order."""
    found: dict[str, list[Character]] = {}
    for c in everybody(state):
        found.setdefault(c.team, []).append(c)
    return dict(sorted(found.items()))


def _team_qualifies(state: State, members: Sequence[Character]) -> bool:
    """All inside; a team that has lost somebody may leave on the last turn only."""
    living = [c for c in members if c.alive]
    complete = len(living) == len(members)
    all_inside = bool(living) and len(inside(state, living)) == len(living)
    return all_inside and (complete or is_last_turn(state))


def whole_team_escape(state: State, actor: Character) -> End | None:
    """As ``team_escape``, but a team that has lost somebody never qualifies (§4.10, prototype)."""
    return _first_team(state, actor, _is_whole_inside)


def _is_whole_inside(state: State, members: Sequence[Character]) -> bool:
    return missing(state, members) == 0


def _team_wins(members: Sequence[Character]) -> End:
    return _end("team", members)


def team_escape(state: State, actor: Character) -> End | None:
    """The acting character's team first, else the others that qualify; several draw (R43)."""
    return _first_team(state, actor, _team_qualifies)


def _first_team(
    state: State,
    actor: Character,
    qualifies: Callable[[State, Sequence[Character]], bool],
) -> End | None:
    all_teams = teams(state)
    if qualifies(state, all_teams[actor.team]):
        return _team_wins(all_teams[actor.team])
    others = [m for m in all_teams.values() if qualifies(state, m)]
    if len(others) == 1:
        return _team_wins(others[0])
    return _end("draw", [c for m in others for c in m]) if others else None


def team_now(state: State) -> End | None:
    """One team left alive wins (R91); none left is a draw (R81)."""
    alive = [m for m in teams(state).values() if any(c.alive for c in m)]
    if not alive:
        return _end("draw")
    return _team_wins(alive[0]) if len(alive) == 1 else None


def team_last(state: State) -> End:
    """Most living members inside wins, at least one; a tie draws; nobody inside: the complex."""
    counts = {name: len(inside(state, members)) for name, members in teams(state).items()}
    best = max(counts.values())
    if best == 0:
        return _end("complex")
    first = [name for name, count in counts.items() if count == best]
    if len(first) > 1:
        return _end("draw", [c for name in first for c in teams(state)[name]])
    return _team_wins(teams(state)[first[0]])


# --- identities and masks ---


def identity_chain(state: State) -> list[str]:
    """From the second death on all earlier dead show their role (§4.9, R80).

    A prisoner among them makes the latest show too.
    """
    *earlier, latest = state.dead or ("",)
    if not earlier:
        return []
    hidden = [name for name in earlier if not state.characters[name].role_public]
    if hidden:
        return hidden
    found = any(state.characters[name].role == PRISONER for name in earlier)
    return [latest] if found and not state.characters[latest].role_public else []


def masks_of_majority(state: State) -> list[str]:
    """More than half of the living in Room 25: the living ones outside show (§4.8.3, R85)."""
    living = state.living()
    others = outside(state, living)
    if 2 * len(others) >= len(living):
        return []
    return [c.id for c in others if not c.role_public]


def identity_at_once(state: State) -> list[str]:
    """Every dead character shows its role at once (§4.9, prototype)."""
    return [name for name in state.dead if not state.characters[name].role_public]


def masks_of_three(state: State) -> list[str]:
    """Three living characters inside at the same time: everybody shows (§4.8.3, R86)."""
    if len(inside(state, state.living())) < 3:  # noqa: PLR2004 (the rule's number)
        return []
    return [name for name, c in state.characters.items() if not c.role_public]


def masks_of_the_last(state: State) -> list[str]:
    """At most as many outside as there are guards, dead or alive: they show (§4.8.3, R113).

    The number of guards is public in the rulebooks that use this rule (R12).
    """
    others = outside(state, everybody(state))
    guards = state.options.get("guards")
    if not isinstance(guards, int) or not 1 <= len(others) <= guards:
        return []
    return [c.id for c in others if not c.role_public]
