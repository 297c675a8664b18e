"""Commands that cost a game the most, and what they cost: CPU time, warm and cold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Command, Context, TimestampMs
from games.contract import Rules
from games.table.decider import Table
from games.table.state import TableState


class CostlyCommand(Struct, frozen=True):
    """A command and the table to which it is given."""

    before: TableState
    command: Command
    actor: Actor
    now: TimestampMs


class Costly(Struct, frozen=True, kw_only=True):
    """What costs a game the most.

    ``what`` says what the commands do; ``commands`` finds them in so many games. Whatever the game
    remembers, in the middle one takes at most ``middle_ms`` of CPU time, the worst ``worst_ms``.
    """

    what: str
    rules: Rules
    commands: Callable[[int], Iterator[CostlyCommand]]
    middle_ms: float
    worst_ms: float


def fresh(rules: Rules) -> Table:
    """A table whose game remembers nothing yet."""
    game: Any = type(rules.decider)()
    return Table({rules.id: replace(rules, decider=game)})


def cost_ms(table: Table, case: CostlyCommand) -> float:
    """The CPU time of deciding a command, in milliseconds."""
    context = Context(case.now, case.actor, Draw(table.seed(case.before)))
    begun = time.process_time()
    table.decide(case.command, case.before, context)
    return (time.process_time() - begun) * 1e3
