"""The checks that need no rules: form, chain, signature, commitments, seed, fold (pure)."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import seal
from events.codec import CodecError, Envelope, Registry
from events.draw import key_hash
from events.keys import SecretError
from events.signing import SignatureError, verifier_key, verify_head
from games.table import Table
from games.table_events import KeyPublished, TableOpened
from games.table_state import TableState
from projections.board import winners_words
from projections.record import Entry
from replay.findings import (
    CHAIN,
    COMMITMENTS,
    FOLD,
    FORM,
    SEED,
    SIGNATURE,
    Finding,
    failed,
    not_checked,
    ok,
)
from replay.source import Source, SourceError, header_of

UNFOLDABLE: Final = (LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""What evolving raises on events that do not follow from one another."""

_ED25519 = b"\x01"


class Unreadable(Exception):
    """An event that cannot be decoded; ``version`` is its."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(why)
        self.version = version


def decode_all(source: Source) -> list[Envelope]:
    """All events in full.

    Raises:
        Unreadable: the first that does not fit the known types.
    """
    envelopes = []
    for stored in source.stored:
        try:
            envelopes.append(source.codec.decode(source.stream, stored))
        except (CodecError, SecretError, msgspec.MsgspecError, ValueError) as error:
            raise Unreadable(stored.version, str(error)) from error
    return envelopes


def check_form(source: Source, envelopes: Sequence[Envelope] | None) -> Finding:
    """Every line in its one spelling and in its place; the header says what the events say."""
    if source.faults:
        first = source.faults[0]
        return failed(FORM, first.text, first.version)
    if source.header is not None and envelopes:
        try:
            said = header_of(source.stream, envelopes, source.header.origin)
        except SourceError as error:
            return failed(FORM, str(error), 1)
        wrong = [
            name
            for name in said.__struct_fields__
            if getattr(said, name) != getattr(source.header, name)
        ]
        if wrong:
            return failed(FORM, f"the events and the header differ in {', '.join(wrong)}")
    return ok(FORM, f"{len(source.entries)} events")


def check_chain(source: Source) -> Finding:
    """The events hash, one after another, to the head that the source names."""
    head = seal.chain(seal.genesis(source.stream), 0, (e.public for e in source.entries))
    if head != source.head or len(source.entries) != source.version:
        return failed(CHAIN, "the events do not hash to the recorded head: one was changed")
    return ok(CHAIN, f"head {seal.text_of(head)}")


def check_signature(source: Source, trusted: str | None) -> Finding:
    """The signed head is this head, signed by the key that is trusted or else the record's own.

    Args:
        source: what is checked.
        trusted: the verifier key (C2SP) of the service, from somewhere else than this record.
    """
    if source.note is None:
        if trusted is not None:
            return failed(SIGNATURE, "there is no signature by the key that you trust")
        return not_checked(SIGNATURE, "not signed")
    verifier = source.verifier if trusted is None else trusted
    if verifier is None:
        return not_checked(SIGNATURE, "no key is known to check it with: name one by --verifier")
    try:
        said = verify_head(source.note, read_verifier(verifier))
    except (SignatureError, ValueError) as error:
        return failed(SIGNATURE, str(error))
    if (said.stream, said.version, said.head) != (source.stream, source.version, source.head):
        return failed(SIGNATURE, f"it is of {said.stream}, version {said.version}, or another head")
    if source.header is not None and said.origin != source.header.origin:
        return failed(SIGNATURE, f"{said.origin} has signed it, not who the header says")
    whose = "a key that only this record vouches for" if trusted is None else "the trusted key"
    return ok(SIGNATURE, f"signed by {said.origin}: {whose}")


def read_verifier(text: str) -> Ed25519PublicKey:
    """The public key in a verifier key, ``<origin>+<key id>+<base64>``.

    Raises:
        ValueError: it is none, or its key id is not that of its key.
    """
    parts = text.split("+", 2)
    try:
        raw = b64decode(parts[-1], validate=True)
    except binascii.Error:
        raw = b""
    if len(parts) != 3 or raw[:1] != _ED25519:  # noqa: PLR2004 (name, id and key)
        raise ValueError("not a verifier key: <origin>+<key id>+<key>")
    key = Ed25519PublicKey.from_public_bytes(raw[1:])
    if verifier_key(parts[0], key) != text:
        raise ValueError("the verifier key's id does not belong to its key")
    return key


# --- secrets ---


def salt_key(source: Source) -> bytes | None:
    """The key that all salts of a game follow from; None if it is not known.

    It is the game key, except in a scenario that fixes a key of its own for its draws: there it is
    the key that the service gave with its command.

    Raises:
        ValueError: the key is not written in hexadecimal.
    """
    opened = source.entries[0].opened if source.entries else {}
    situation, own = opened.get("event.situation"), opened.get("command.key")
    fixed = situation is not None and isinstance(situation.value, dict)
    if fixed and situation is not None and situation.value.get("seed") and own is not None:
        return bytes.fromhex(str(own.value))
    return bytes.fromhex(source.key) if source.key else None


def check_commitments(source: Source, registry: Registry) -> Finding:
    """Every commitment opens to a value by a salt that follows from the game key."""
    try:
        key = salt_key(source)
    except ValueError:
        return failed(COMMITMENTS, "the game key is not in hexadecimal")
    count = 0
    for entry in source.entries:
        fields = _fields(entry)
        seals = seals_of(fields)
        for trouble in (*_loose_secrets(fields, registry), *_wrong_openings(entry, seals, key)):
            return failed(COMMITMENTS, trouble, entry.version)
        count += len(seals)
    if key is None and count:
        return not_checked(COMMITMENTS, "the game key is not known")
    return ok(COMMITMENTS, f"{count} secret fields opened")


def _fields(entry: Entry) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(entry.public)
    return fields


def seals_of(fields: Mapping[str, Any]) -> dict[str, str]:
    """The commitments of an entry by path."""
    found: dict[str, str] = {}
    for part, holder in (("event", fields), ("command", fields.get("batch"))):
        seals = holder.get("seals") if isinstance(holder, dict) else None
        if isinstance(seals, dict):
            found |= {f"{part}.{name}": str(value) for name, value in seals.items()}
    return found


def _loose_secrets(fields: Mapping[str, Any], registry: Registry) -> Iterator[str]:
    """Secret fields that stand in the open instead of behind a commitment."""
    batch = fields.get("batch")
    command = batch.get("command") if isinstance(batch, dict) else None
    for part, message, kinds in (
        ("event", fields.get("event"), registry.events.by_tag),
        ("command", command, registry.commands.by_tag),
    ):
        kind = kinds.get(message.get("type", "")) if isinstance(message, dict) else None
        if kind is not None and isinstance(message, dict):
            yield from (
                f"{part}.{name} stands in the open" for name in kind.secrets if name in message
            )


def _wrong_openings(entry: Entry, seals: Mapping[str, str], key: bytes | None) -> Iterator[str]:
    """Commitments of an entry that do not open."""
    for path in sorted({*seals, *entry.opened}):
        opening = entry.opened.get(path)
        if opening is None:
            yield f"{path} is not opened"
        elif path not in seals:
            yield f"{path} is opened, but there is no commitment to it"
        elif not _opens(path, opening.salt, opening.value, seals[path]):
            yield f"{path}: value and salt do not open the commitment"
        elif key is not None and seal.text_of(seal.salt(key, entry.version, path)) != opening.salt:
            yield f"{path}: the salt does not follow from the game key"


def _opens(path: str, salt: str, value: object, commitment: str) -> bool:
    try:
        return seal.commitment(path, seal.bytes_of(salt), value) == commitment
    except ValueError:
        return False


def check_seed(source: Source, envelopes: Sequence[Envelope]) -> Finding:
    """The game key is the one that was committed to when the table opened, wherever it stands."""
    first = envelopes[0].event if envelopes else None
    if not isinstance(first, TableOpened):
        return failed(SEED, "the first event opens no table", 1)
    if not source.key:
        return not_checked(SEED, "the game key is not known")
    try:
        hashed = key_hash(source.key)
    except ValueError:
        return failed(SEED, "the game key is not in hexadecimal")
    if hashed != first.key_hash:
        return failed(SEED, "the game key is not the one that the table was opened with", 1)
    if first.key != source.key:
        return failed(SEED, "the first event holds another key than was published", 1)
    published = [e for e in envelopes if isinstance(e.event, KeyPublished)]
    for envelope in published:
        if isinstance(envelope.event, KeyPublished) and envelope.event.key != source.key:
            return failed(SEED, "another key was published", envelope.version)
    return ok(SEED, "the key was committed to" + ("" if published else "; it is still secret"))


# --- fold ---


def check_fold(table: Table, envelopes: Sequence[Envelope]) -> Finding:
    """The events follow from one another, in time and in their effect, to the recorded result."""
    state, at, batch_at = table.initial(), 0, 0
    for envelope in envelopes:
        batch_at = envelope.at if envelope.batch is not None else batch_at
        if envelope.at < at or envelope.at != batch_at:
            return failed(FOLD, "the time runs backwards, or within a command", envelope.version)
        at = envelope.at
        try:
            state = table.evolve(state, envelope.event)
        except UNFOLDABLE as error:
            why = f"it does not fit the events before it: {error!r}"
            return failed(FOLD, why, envelope.version)
    last = envelopes[-1].version if envelopes else 0
    if state.result is None:
        return ok(FOLD, f"version {last}; the game is {state.phase}, without a result yet")
    wrong = _result_faults(table, state)
    if wrong:
        return failed(FOLD, wrong, last)
    result = state.result
    return ok(FOLD, f"{result.reason}: {result.outcome}, {winners_words(result.winners)}")


def _result_faults(table: Table, state: TableState) -> str:
    """What in the recorded result is not what the state of the game says, if anything."""
    result, game = state.result, table.games[state.game]
    assert result is not None
    outcome = None if state.play is None else game.outcome(state.play)
    if result.reason != "finished":
        return "the game was won, but the table was closed otherwise" if outcome else ""
    if outcome is None:
        return "the table says finished, but the game has not ended"
    resigned = {seat for seat, place in state.seats.items() if place.resigned}
    winners = tuple(seat for seat in outcome.winners if seat not in resigned)
    said = (result.outcome, result.winners, result.score)
    if said != (outcome.reason, winners, outcome.score):
        return "the table's result is not the game's"
    return ""
