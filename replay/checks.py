"""The checks that need no rules: form, chain, signature, commitments, seed, fold (pure)."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import seal
from events.codec import Registry
from events.draw import key_hash
from events.envelope import NONE_RELEASED, LooseLine, Released
from events.kernel import Message, Version
from events.names import is_renamed
from events.signing import verifier_key, verify_head
from games.table.decider import Table
from games.table.events import KeyPublished, TableOpened
from games.table.state import TableState
from games.texts import winners_words
from projections.record import Entry, Opening
from replay.adjudication import UNFOLDABLE
from replay.decoding import Decoded
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
from replay.lines import HEADER, NAMES, SEAL, FormFault, type_of
from replay.misfit import misfit
from replay.people import name_fault, sat_down
from replay.source import Source

_ED25519 = b"\x01"
_PUBLISHED: Final = KeyPublished.__struct_config__.tag


def check_form(source: Source, loose: Sequence[LooseLine | None]) -> Finding:
    """Every line in its one spelling and in its place; the header says what the events say."""
    faults = [*source.faults, *_false_header(source, loose)]
    if not faults:
        return ok(FORM, f"{len(source.entries)} events")
    first, more = faults[0], len(faults) - 1
    text = first.text + (f" (and {more} more)" if more else "")
    return failed(FORM, text, first.version, first.part)


def _false_header(source: Source, loose: Sequence[LooseLine | None]) -> Iterator[FormFault]:
    """What the header says otherwise than the events, all of them or the first and the last."""
    header, lines = source.header, [line for line in loose if line is not None]
    if header is None or len(lines) < len(loose) or not lines:
        return
    first, batches = lines[0].event, [line.batch for line in lines if line.batch is not None]
    if first.get("type") != TableOpened.__struct_config__.tag:
        yield FormFault(1, f"{source.stream} does not begin with the opening of a table")
        return
    said = {
        "game": first.get("game"),
        "rulebook": first.get("rulebook"),
        "mode": first.get("mode"),
        "genesis": seal.text_of(seal.genesis(source.stream)),
        "commands": len(batches),
        "rules": tuple(dict.fromkeys(batch.rules for batch in batches)),
        "opened_at": lines[0].at,
        "closed_at": lines[-1].at,
    }
    wrong = [name for name, value in said.items() if value != getattr(header, name)]
    if wrong:
        yield FormFault(0, f"the events and the header differ in {', '.join(wrong)}", HEADER)


def check_chain(source: Source) -> Finding:
    """The events hash, one after another, to the head that the source names."""
    if not source.head:
        return not_checked(CHAIN, "there is no head to compare with")
    if not source.stream:
        return not_checked(CHAIN, "it is not known of which game these events are")
    publics = [entry.public for entry in source.entries]
    head = seal.chain(seal.genesis(source.stream), 0, publics)
    count = len(publics)
    if head == source.head and count == source.version:
        return ok(CHAIN, f"head {seal.text_of(head)}")
    if head == source.head:
        why = f"it says version {source.version}, its head is that of version {count}"
        return failed(CHAIN, why, part=SEAL)
    if _signed_end(source) == (source.stream, count, head):
        return failed(
            CHAIN, "the events hash to the head that was signed, not to this one", 0, SEAL
        )
    if _from_stated_genesis(source, publics) == source.head:
        why = "the events hash to the recorded head from its genesis, not from its stream"
        return failed(CHAIN, why, part=HEADER)
    return failed(CHAIN, "the events do not hash to the recorded head: one was changed")


def _from_stated_genesis(source: Source, publics: Sequence[bytes]) -> bytes:
    """The head that the events hash to from the genesis that the header names."""
    try:
        return seal.chain(seal.bytes_of(source.genesis), 0, publics)
    except ValueError:
        return b""


def _signed_end(source: Source) -> tuple[str, int, bytes] | None:
    """What the source's own key has signed."""
    try:
        said = verify_head(source.note or "", read_verifier(source.verifier or ""))
    except ValueError:
        return None
    return said.stream, said.version, said.head


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
    verifiers = [each for each in (trusted, source.verifier) if each is not None]
    if not verifiers:
        return not_checked(SIGNATURE, "no key is known to check it with: name one by --verifier")
    try:
        said = verify_head(source.note, read_verifier(verifiers[0]))
    except ValueError as error:
        return failed(SIGNATURE, str(error), part=SEAL)
    if any(verifier != verifiers[0] for verifier in verifiers):
        return failed(SIGNATURE, "it names another key than the one that signed it", part=SEAL)
    if (said.version, said.head) != (source.version, source.head):
        return failed(SIGNATURE, "another version or head was signed", part=SEAL)
    if said.stream != source.stream:
        return failed(SIGNATURE, f"{said.stream} was signed, another game", part=HEADER)
    if source.header is not None and said.origin != source.header.origin:
        why = f"{said.origin} has signed it, not who is named here"
        return failed(SIGNATURE, why, part=HEADER)
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


def game_key(source: Source) -> str:
    """The game key in hexadecimal; "" if it is not known.

    Where the source and its first event name two, it is the one that was committed to.
    """
    first = source.entries[0] if source.entries else None
    opening = None if first is None else first.opened.get("event.key")
    inner = "" if opening is None else str(opening.value)
    if source.key and (not inner or not _is_committed(source, inner)):
        return source.key
    return inner


def _is_committed(source: Source, key: str) -> bool:
    """Whether a key is the one whose hash the first event holds."""
    first = source.entries[0]
    if first.version in source.unread:
        return False
    event = _fields(first).get("event")
    try:
        return isinstance(event, dict) and key_hash(key) == event.get("key_hash")
    except ValueError:
        return False


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
    key = game_key(source)
    return bytes.fromhex(key) if key else None


def check_commitments(
    source: Source, registry: Registry, open_to_all: Mapping[Version, Released]
) -> Finding:
    """Every commitment opens to a value by a salt that follows from the game key.

    Kept fields have salts of their own, and are opened exactly where they have counted, as
    ``open_to_all`` says (``games.table.keeping.released``); a store opens them all, and so does the
    record of a game that is not over.

    Those to names have salts of their own, and open as far as they have not been erased.
    """
    try:
        key = salt_key(source)
    except ValueError:
        return failed(COMMITMENTS, "the game key is not in hexadecimal")
    wrong = name_fault(source.entries, source.names)
    count, kept, unread = 0, 0, 0
    over = any(type_of(entry.public) == _PUBLISHED for entry in source.entries)
    is_record = over and source.header is not None
    for entry in source.entries:
        if entry.version in source.unread:
            unread = unread or entry.version
            continue
        mine = None if not is_record else open_to_all.get(entry.version, NONE_RELEASED)
        for trouble in commitment_faults(entry, registry, key, mine):
            return failed(COMMITMENTS, trouble, entry.version)
        count += len(entry.opened)
        kept += len(seals_of(_fields(entry))) - len(entry.opened)
    if wrong:
        return failed(COMMITMENTS, wrong, part=NAMES)
    if unread:
        return not_checked(COMMITMENTS, f"{count} opened, but version {unread} cannot be read")
    if not source.entries:
        return not_checked(COMMITMENTS, "there are no events")
    if key is None and count:
        return not_checked(COMMITMENTS, "the game key is not known")
    sealed = len({sitting.name_seal for sitting in sat_down(source.entries)})
    known = sum(not is_renamed(opening) for opening in source.names.values())
    named = f", {known} of {sealed} names known" if sealed else ""
    since = len(source.names) - known
    named += f", {since} unproven because renamed since" if since else ""
    void = f", {kept} kept that have never counted" if kept else ""
    return ok(COMMITMENTS, f"{count} secret fields opened{named}{void}")


def commitment_faults(
    entry: Entry, registry: Registry, key: bytes | None = None, released: Released | None = None
) -> Iterator[str]:
    """What is wrong with the secrets of one entry.

    Args:
        entry: what was stored, with everything opened.
        registry: knows which fields are secret.
        key: the key that all salts must follow from, if it is known; those of kept fields do not.
        released: the parts whose kept fields must be opened, while those of the other part must
            not; None: all are opened.
    """
    fields = _fields(entry)
    yield from _loose_secrets(fields, registry)
    seals, opened, kept = seals_of(fields), dict(entry.opened), set[str]()
    for part, kind in _kinds(fields, registry):
        for path in (f"{part}.{name}" for name in kind.withheld):
            kept.add(path)
            if path not in seals:
                yield f"there is no commitment to {path}"
            if released is not None and part not in released:
                if path in opened:
                    yield f"{path} is opened, though it has never counted"
                seals.pop(path, None)
                opened.pop(path, None)
    yield from _wrong_openings(opened, seals, opened.keys() - kept, entry.version, key)


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
    messages = _messages(fields)
    for part, kind in _kinds(fields, registry):
        yield from (
            f"{part}.{name} stands in the open" for name in kind.secrets if name in messages[part]
        )


def _messages(fields: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The event of an entry and its command, as far as they have the form of messages."""
    batch = fields.get("batch")
    command = batch.get("command") if isinstance(batch, dict) else None
    both = (("event", fields.get("event")), ("command", command))
    return {part: message for part, message in both if isinstance(message, dict)}


def _kinds(fields: Mapping[str, Any], registry: Registry) -> Iterator[tuple[str, type[Message]]]:
    """The types of an entry's messages, those that are known."""
    known: dict[str, Mapping[str, type[Message]]] = {
        "event": registry.events.by_tag,
        "command": registry.commands.by_tag,
    }
    for part, message in _messages(fields).items():
        tag = message.get("type")
        kind = known[part].get(tag) if isinstance(tag, str) else None
        if kind is not None:
            yield part, kind


def _wrong_openings(
    opened: Mapping[str, Opening],
    seals: Mapping[str, str],
    derived: Collection[str],
    version: Version,
    key: bytes | None,
) -> Iterator[str]:
    """Commitments of an entry that do not open; the salts of those in ``derived`` follow a key."""
    for path in sorted({*seals, *opened}):
        opening = opened.get(path)
        if opening is None:
            yield f"{path} is not opened"
        elif path not in seals:
            yield f"{path} is opened, but there is no commitment to it"
        elif not _opens(path, opening.salt, opening.value, seals[path]):
            yield f"{path}: value and salt do not open the commitment"
        elif key is None or path not in derived:
            continue
        elif seal.text_of(seal.salt(key, version, path)) != opening.salt:
            yield f"{path}: the salt does not follow from the game key"


def _opens(path: str, salt: str, value: object, commitment: str) -> bool:
    try:
        raw = seal.bytes_of(salt)
        return seal.text_of(raw) == salt and seal.commitment(path, raw, value) == commitment
    except ValueError:
        return False


def check_seed(source: Source, decoded: Decoded) -> Finding:
    """The game key is the one that was committed to when the table opened, wherever it stands."""
    envelopes = decoded.envelopes
    if not envelopes:
        why = "there are no events" if decoded.stop is None else "version 1 cannot be read"
        return not_checked(SEED, why)
    first = envelopes[0].event
    if not isinstance(first, TableOpened):
        return failed(SEED, "the first event opens no table", 1)
    if not source.key:
        return not_checked(SEED, "the game key is not known")
    try:
        if key_hash(game_key(source)) != first.key_hash:
            return failed(SEED, "the game key is not the one that the table was opened with", 1)
    except ValueError:
        return failed(SEED, "the game key is not in hexadecimal", part=SEAL)
    if first.key != source.key:
        if game_key(source) == source.key:
            return failed(SEED, "the first event holds another key than was published", 1)
        why = "the game key is not the one that the table was opened with"
        return failed(SEED, why, part=SEAL)
    # As the lines stand, because the events of an unknown game cannot all be read.
    told = [line for line in decoded.loose if line is not None]
    published = [line for line in told if line.event.get("type") == _PUBLISHED]
    for line in published:
        if line.event.get("key") != source.key:
            return failed(SEED, "another key was published", line.version)
    return ok(SEED, "the key was committed to" + ("" if published else "; it is still secret"))


# --- fold ---


def check_fold(table: Table, decoded: Decoded) -> Finding:
    """The events follow from one another, in time and in their effect, to the recorded result."""
    if decoded.unknown_game:
        return not_checked(FOLD, unplayed(decoded))
    envelopes, stop = decoded.envelopes, decoded.stop
    if not envelopes and stop is None:
        return not_checked(FOLD, "there are no events")
    state, at, batch_at = table.initial(), 0, 0
    for envelope in envelopes:
        batch_at = envelope.at if envelope.batch is not None else batch_at
        if envelope.at < at or envelope.at != batch_at:
            return failed(FOLD, "the time runs backwards, or within a command", envelope.version)
        at = envelope.at
        try:
            state = table.evolve(state, envelope.event)
        except UNFOLDABLE as error:
            return failed(FOLD, misfit(error), envelope.version)
    if stop is not None:
        if stop.foreign:
            return not_checked(FOLD, f"version {stop.version}: {stop.why}")
        return failed(FOLD, f"it cannot be read: {stop.why}", stop.version)
    last = envelopes[-1].version
    if state.result is None:
        return ok(FOLD, f"version {last}; the game is {state.phase}, without a result yet")
    wrong = result_faults(table, state)
    if wrong:
        return failed(FOLD, wrong, last)
    result = state.result
    return ok(FOLD, f"{result.reason}: {result.outcome}, {winners_words(result.winners)}")


def unplayed(decoded: Decoded) -> str:
    """Why the rules cannot be asked about a game that this program does not play."""
    return f"this program does not know the game {decoded.unknown_game!r}"


def result_faults(table: Table, state: TableState) -> str:
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
