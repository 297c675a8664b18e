"""The checks after eliminations, entries, shifts and shown roles (§4.8; pure)."""

from __future__ import annotations

from games.room25.editions.endings import is_last_turn
from games.room25.facts import events as ev
from games.room25.model.state import End
from games.room25.rules.context import Play


def show_role(play: Play, name: str, cause: str) -> None:
    """Make a role public."""
    role = play.character(name).role
    if role is None:
        raise ValueError(f"the truth does not know the role of {name}")
    play.emit(ev.RoleRevealed(character=name, role=role, cause=cause))


def end_game(play: Play, end: End) -> None:
    """End the game; whatever is left on the agenda is dropped."""
    play.emit(ev.GameEnded(outcome=end.outcome, winners=end.winners, score=end.score))
    play.state.agenda = ()


def check(play: Play) -> None:
    """Identities, then the ends by elimination, then the masks, in that order (§4.12)."""
    has_roles = bool(play.mode.roles)
    while has_roles and (names := play.rulebook.identity(play.state)):
        for name in names:
            show_role(play, name, "death")
    end = play.mode.end_now(play.state)
    if end is not None:
        end_game(play, end)
        return
    if has_roles:
        for name in play.rulebook.masks(play.state):
            show_role(play, name, "masks")


def show_the_dead(play: Play) -> None:
    """Before the last turn, or once it turns out to be the last, the dead show (R87)."""
    if play.rulebook.dead_show_last_turn and play.mode.roles and is_last_turn(play.state):
        for name in play.state.dead:
            if not play.character(name).role_public:
                show_role(play, name, "last_turn")
