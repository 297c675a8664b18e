"""The decoded events of a source, as far as this program can read them (pure)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from events.codec import Codec, CodecError, Envelope, Registry
from events.envelope import Fields, LooseLine
from events.keys import SecretError
from games.game_registry import GameRegistry, UnknownGame
from games.table.events import TableOpened
from replay.lines import type_of
from replay.source import Source

_decode_loose = msgspec.json.Decoder(LooseLine).decode


class Stop(Struct, frozen=True):
    """The first event that cannot be read.

    ``foreign``: nothing is wrong with it as far as this program can tell, it is of a type that
    only another program knows.
    """

    version: int
    why: str
    foreign: bool = False


class Decoded(Struct, frozen=True):
    """What a source holds.

    ``loose`` are the lines as they stand, None for those that are none; ``envelopes`` the events
    in full, up to where ``stop`` says. ``types`` are the events' tags by version, as far as they
    can be known. ``registry`` are the types that they should be of. ``unknown_game`` is the game,
    if this program does not play it.
    """

    loose: tuple[LooseLine | None, ...]
    envelopes: tuple[Envelope, ...]
    stop: Stop | None
    types: dict[int, str]
    registry: Registry
    unknown_game: str = ""

    def judgeable(self) -> tuple[Envelope, ...]:
        """The events of all commands of which every event could be read."""
        if self.stop is None:
            return self.envelopes
        loose = self.loose[len(self.envelopes)]
        begins = [i for i, each in enumerate(self.envelopes) if each.batch is not None]
        if (loose is not None and loose.batch is not None) or not begins:
            return self.envelopes
        return self.envelopes[: begins[-1]]


def decode(source: Source, game_registry: GameRegistry) -> Decoded:
    """Read the events of a source."""
    loose = tuple(
        None if entry.version in source.unread else _loose(entry.public) for entry in source.entries
    )
    unknown_game, registry = _registry(source, game_registry)
    codec = Codec(registry, source.keys)
    envelopes: list[Envelope] = []
    stop = None
    for stored, line in zip(source.stored, loose, strict=True):
        if stored.version in source.unread:
            stop = Stop(stored.version, "the line is no event")
            break
        try:
            envelopes.append(codec.decode(source.stream, stored))
        except (CodecError, SecretError, ValueError) as error:
            said, ours = _rules_said(envelopes, line), rules_of(envelopes, game_registry)
            is_foreign = bool(unknown_game) or (said is not None and said != ours)
            unknown = "" if line is None else _unknown_type(line, registry)
            stop = Stop(stored.version, unknown or str(error), is_foreign and bool(unknown))
            break
    types = {e.version: type_of(e.public) or "an unreadable event" for e in source.entries}
    return Decoded(loose, tuple(envelopes), stop, types, registry, unknown_game)


def _loose(public: bytes) -> LooseLine | None:
    try:
        return _decode_loose(public)
    except (ValueError, RecursionError):
        return None


def _registry(source: Source, game_registry: GameRegistry) -> tuple[str, Registry]:
    """The types that a source's events should be of; before them its game, if it is not known.

    Of a game that nobody plays here these are the table's own.
    """
    try:
        return "", game_registry.registry(source.game)
    except UnknownGame as error:
        return error.game, game_registry.table_types


def rules_of(envelopes: Sequence[Envelope], game_registry: GameRegistry) -> str | None:
    """The tag of our rules for a game, by its first event; None: it is not known, or not ours."""
    opened = envelopes[0].event if envelopes else None
    if not isinstance(opened, TableOpened):
        return None
    return game_registry.rules_for(opened.game, opened.rulebook)


def _rules_said(before: list[Envelope], line: LooseLine | None) -> str | None:
    """The tag of the rules that made the event after ``before``."""
    if line is not None and line.batch is not None:
        return line.batch.rules
    return next((e.batch.rules for e in reversed(before) if e.batch is not None), None)


def _unknown_type(line: LooseLine, registry: Registry) -> str:
    """What in a line is of a type, or a shape of a type, that this program does not know."""
    found = _unknown("event", line.event, line.shape, registry)
    if not found and line.batch is not None:
        found = _unknown("command", line.batch.command, line.batch.shape, registry)
    return found


def _unknown(part: str, message: Fields, shape: int, registry: Registry) -> str:
    known = registry.events if part == "event" else registry.commands
    tag = message.get("type")
    if not isinstance(tag, str):
        return ""
    kind = known.by_tag.get(tag)
    if kind is None:
        return f"this program knows no {part} of the type {tag!r}"
    newest = known.shapes[kind]
    return f"this program knows {tag!r} up to shape {newest} only" if shape > newest else ""
