"""When the turns of a game began, by what everybody may see of it (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from events.codec import Stored
from events.kernel import PUBLIC, Version, redact
from games.game_registry import GameRegistry


def turns_begun(games: GameRegistry, stream: str, entries: Sequence[Stored]) -> list[Version]:
    """The first version of each turn, in order; no keys are needed.

    Raises:
        UnknownGame: nobody plays it here.
        CodecError: the bytes do not fit the registered types.
    """
    if not entries:
        return []
    table, found = games.table, dict[int, Version]()
    state = table.initial()
    codec = games.codecs(None).codec_of(entries[0])
    for envelope in codec.decode_events(stream, entries):
        eyes = PUBLIC.at(envelope.version)
        state = table.evolve(state, redact(envelope.event, eyes))
        if state.play is not None:
            found.setdefault(table.games[state.game].turn(state.play), envelope.version)
    return [version for turn, version in sorted(found.items()) if turn > 0]
