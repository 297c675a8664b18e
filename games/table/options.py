"""What may be chosen of an open decision, what lies below its branches, and what not (pure)."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from events.kernel import Decision, Option, Rejected
from games.contract import Game, Rules, Unavailable
from games.table.attendance import OWN_KINDS
from games.table.checks import TableCode
from games.table.state import TableState
from games.trees import Below, Standing, parts_of, standing

_WHY_NOT: Final[dict[Standing, tuple[TableCode, str]]] = {
    "nothing": (TableCode.OPTION_NOT_OFFERED, "this option is not offered"),
    "branch": (
        TableCode.OPTION_IS_A_BRANCH,
        "this option is a branch: choose one of the options below it",
    ),
    "beyond": (
        TableCode.OPTION_IS_A_LEAF,
        "the path leads on from a leaf, which has no options below it",
    ),
}


def branch(
    game: Game[Any], state: TableState, decision: Decision, path: tuple[str, ...]
) -> tuple[Option, ...]:
    """The options below a branch of an open decision; the table's own have none."""
    return () if decision.kind in OWN_KINDS else game.branch(state.play, decision, path)


def offers(game: Game[Any], state: TableState, decision: Decision, option: str) -> bool:
    """Whether an option of an open decision can be chosen."""
    if decision.kind in OWN_KINDS:
        return decision.offers(option)
    return game.offers(state.play, decision, option)


def require_offered(game: Game[Any], state: TableState, decision: Decision, option: object) -> None:
    """Refuse what is no leaf (option-not-offered, option-is-a-branch, option-is-a-leaf).

    Only the decision's own seat is told which of these it is.
    """
    text = option if isinstance(option, str) else ""
    if offers(game, state, decision, text):
        return
    why = standing(decision, text, _below(game, state, decision))
    raise Rejected(*_WHY_NOT.get(why, _WHY_NOT["nothing"]))


def listed(
    game: Game[Any], state: TableState, decision: Decision, option: str
) -> tuple[Option, ...]:
    """The options below the branch of that id; empty: there is none.

    Raises:
        Rejected: option-is-a-leaf.
    """
    below = _below(game, state, decision)
    found = standing(decision, option, below)
    if found == "leaf":
        raise Rejected(
            TableCode.OPTION_IS_A_LEAF, "this option is a leaf: it has no options below it"
        )
    return below(parts_of(option)) if found == "branch" else ()


def unavailable(
    rules: Rules, state: TableState, decision: Decision, path: tuple[str, ...] = ()
) -> tuple[Unavailable, ...]:
    """What an open decision does not offer, and why; the table's own offer all that there is.

    ``path`` holds the parts of the id of a branch that is listed; none: the first level.
    """
    return () if decision.kind in OWN_KINDS else rules.unavailable(state.play, decision, path)


def _below(game: Game[Any], state: TableState, decision: Decision) -> Below:
    return partial(branch, game, state, decision)
