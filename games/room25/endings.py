"""Who may escape, and how a game ends: one small strategy for each row of §4.10 (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from events.kernel import Seat
from games.room25.catalogue import GUARD, PRISONER
from games.room25.rulebook import EndNow, Escape
from games.room25.state import Character, End, State


def inside(state: State, members: Sequence[Character]) -> list[Character]:
    """Those who stand in the face-up Room 25."""
    where = state.where_kind("room25")
    return [c for c in members if where is not None and c.cell == where]


def missing(state: State, members: Sequence[Character]) -> int:
    """A side's eliminated members and its living ones outside Room 25."""
    return len(members) - len(inside(state, members))


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


def _side(state: State, role: str) -> list[Character]:
    return [c for c in everybody(state) if c.role == role]


def suspicion_escape(state: State, _: Character) -> End | None:
    """Every prisoner inside, or all but one on the last turn; guards inside do not matter (R93)."""
    prisoners = _side(state, PRISONER)
    allowed = 1 if is_last_turn(state) else 0
    return _end("prisoners", prisoners) if missing(state, prisoners) <= allowed else None


def _prisoners_lost(state: State) -> End:
    guards = _side(state, GUARD)
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


def _team_wins(members: Sequence[Character]) -> End:
    return _end("team", members)


def team_escape(state: State, actor: Character) -> End | None:
    """The acting character's team first, else the others that qualify; several draw (R43)."""
    all_teams = teams(state)
    if _team_qualifies(state, all_teams[actor.team]):
        return _team_wins(all_teams[actor.team])
    others = [m for m in all_teams.values() if _team_qualifies(state, m)]
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
    within = {c.id for c in inside(state, living)}
    if 2 * len(within) <= len(living):
        return []
    return [c.id for c in living if c.id not in within and not c.role_public]
