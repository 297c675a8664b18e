"""Choices that are kept: how they are handed in, and which of them a record opens (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from events.envelope import Envelope, Released
from events.kernel import Decision, Message, Version
from games.contract import Game
from games.table.events import Choose, ChooseSealed, ChooseSecretly, TableOpened


def handed_in(decision: Decision, option: str) -> Choose | ChooseSecretly:
    """The command that chooses an option, as the decision asks for it."""
    kind: type[Choose | ChooseSecretly] = Choose
    if decision.secret:
        kind = ChooseSealed if decision.kept is True else ChooseSecretly
    return kind(seat=decision.seat, decision=decision.id, option=option)


def released(
    games: Mapping[str, Game[Any]], envelopes: Sequence[Envelope]
) -> dict[Version, Released]:
    """The parts of entries with kept fields that everybody may open once a game has ended.

    By version, also where it is none of them; entries without kept fields are missing. What a
    command keeps is opened if the first event of its seat that came of it is: others in its batch
    are defaults of absent seats.

    Args:
        games: the deciders by the game's id.
        envelopes: all events; nothing in their kept fields matters.
    """
    first = envelopes[0].event if envelopes else None
    game = games.get(first.game) if isinstance(first, TableOpened) else None
    if game is None:
        return {}
    void = game.void([each.event for each in envelopes])
    found: dict[Version, set[str]] = {}
    asked: tuple[Version, object] | None = None
    for number, each in enumerate(envelopes):
        if each.batch is not None:
            asked = None
            if each.batch.command.withheld:
                found.setdefault(each.version, set()).add("command")
                asked = each.version, _seat_of(each.batch.command)
        if each.event.withheld:
            found.setdefault(each.version, set())
            if number not in void:
                found[each.version].add("event")
            if asked is not None and asked[1] == _seat_of(each.event):
                if number in void:
                    found[asked[0]].discard("command")
                asked = None
    return {version: frozenset(parts) for version, parts in found.items()}


def _seat_of(message: Message) -> object:
    """The seat that a message with kept fields names."""
    return getattr(message, "seat", None)


def stand_in(decision: Decision, command: ChooseSealed) -> ChooseSealed:
    """A command that is judged though its choice is kept: it chooses the default.

    What is void has changed nothing, so whatever was chosen, the events are the same.
    """
    if command.option is not UNSET:
        return command
    return replace(command, option=UNSET if decision.default is None else decision.default)
