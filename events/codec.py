"""The stored form of events.

An entry has a public part, the canonical JSON bytes that are hashed, stored and streamed, and
perhaps a private part. The public form::

    {"at": ms, "batch": {...}, "event": {"type": ..., public fields ...},
     "seals": {field: commitment}, "shape": n, "v": version}

Only the first event of a batch has ``batch``, which says who issued which command: ``by`` is
``<kind>:<id>``, ``command`` holds its public fields, ``id`` the command id, ``rules`` the tags of
the rules that judged it, ``seals`` the commitments of its secret fields, ``shape`` its shape. Empty
``seals`` and a ``shape`` of 1 are left out. A commitment's path is ``event.<field>`` or
``command.<field>``.

The private part is msgpack, encrypted: an array of the event's secret fields and the command's,
each a map of JSON values, or nil. Hashes and commitments cover what is stored, so upcasting (see
``registry``) cannot disturb them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from msgspec import Raw, Struct

from events import seal
from events.envelope import (
    NO_SEALS,
    NONE_RELEASED,
    Batch,
    Envelope,
    Fields,
    Head,
    Line,
    LooseLine,
    Released,
    Stored,
    TimedEvent,
    batch_by,
)
from events.kernel import Event, Message, TimestampMs, Viewer
from events.openings import Opener, SecretPart
from events.registry import NOTHING, CodecError, Registry, Upcaster
from events.secrecy import SecretError, Secrets, key_id_of

__all__ = [
    "Batch",
    "Codec",
    "CodecError",
    "Codecs",
    "Envelope",
    "Registry",
    "Sealed",
    "Stored",
    "Upcaster",
    "batch_by",
]


class Sealed(Struct, frozen=True):
    """A batch in its stored form: (public, private) parts in order, and the head after each.

    ``envelopes`` are what these entries decode to.
    """

    entries: list[tuple[bytes, bytes | None]]
    heads: list[bytes]
    envelopes: list[Envelope]

    @property
    def head(self) -> bytes:
        """The head after the batch."""
        return self.heads[-1]


class _Private(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A decrypted private part: the secret fields of the event and of the command, undecoded."""

    event: Raw = NOTHING
    command: Raw = NOTHING


_NO_SECRETS: Final = _Private()
_decode_loose = msgspec.json.Decoder(LooseLine).decode
_decode_private = msgspec.msgpack.Decoder(_Private).decode
_decode_fields = msgspec.msgpack.Decoder(Fields | None).decode
_encode_private = msgspec.msgpack.Encoder().encode


class Codecs(Protocol):
    """Finds the codec of a stream, where streams differ in their types."""

    def codec_of(self, first: Event | Stored) -> Codec:
        """The codec of a stream whose first event is ``first``, decoded or as stored.

        Raises:
            CodecError: no such stream can be read here.
        """
        ...


class Codec:
    """Turns batches into entries and entries into envelopes.

    Without ``keys`` it reads the public side only: secret fields stay UNSET. It also serves as
    ``Codecs`` where all streams have the same types.
    """

    def __init__(self, registry: Registry, keys: Secrets | None) -> None:
        self._registry = registry
        self._keys = keys

    def codec_of(self, first: Event | Stored) -> Codec:  # noqa: ARG002 (see Codecs)
        """This codec, whatever the first event is."""
        return self

    def encode_batch(
        self,
        stream: str,
        events: Sequence[Event],
        batch: Batch,
        *,
        at: TimestampMs,
        first_version: int,
        previous_head: bytes,
        key_id: str | None = None,
    ) -> Sealed:
        """The entries of a batch, and the stream's head after them.

        Args:
            stream: the stream's id.
            events: the events in full; their secret fields become commitments and private parts.
            batch: who and why; its ``seals`` are ignored and made here.
            at: the time of the batch.
            first_version: the version of the first event, 1 in a new stream.
            previous_head: the head before the batch, ``seal.genesis`` in a new stream.
            key_id: the key that the stream began with (``first_key_id``); else the current one.

        Raises:
            CodecError: a type is not registered, or there are no keys for secret fields.
            NotCanonicalError: a value has no canonical form.
        """
        seals = _Seals(self._keys, stream, key_id)
        entries: list[tuple[bytes, bytes | None]] = []
        envelopes: list[Envelope] = []
        for version, event in enumerate(events, first_version):
            line: Fields = {"at": at, "v": version}
            shape = self._registry.events.shape_of(event)
            secret = seals.split("event", version, event, shape, line)
            head: Batch | None = None
            command_secret: Fields = {}
            if version == first_version:
                line["batch"], command_secret, head = self._head_of(batch, version, seals)
            public = seal.canonical_plain(line)
            entries.append((public, seals.box(version, secret, command_secret)))
            made = line.get("seals", NO_SEALS)
            envelopes.append(Line(version, at, event, head, made, shape))
        heads = seal.heads(previous_head, first_version - 1, (public for public, _ in entries))
        return Sealed(entries, list(heads), envelopes)

    def _head_of(self, batch: Batch, version: int, seals: _Seals) -> tuple[Fields, Fields, Batch]:
        """The public form of a batch's head, its command's secret fields, and the head itself."""
        wire: Fields = {"by": batch.by, "id": batch.command_id, "rules": batch.rules}
        shape = self._registry.commands.shape_of(batch.command)
        secret = seals.split("command", version, batch.command, shape, wire)
        made = wire.get("seals", NO_SEALS)
        head = Head(batch.by, batch.command, batch.command_id, batch.rules, made, shape)
        return wire, secret, head

    def decode(self, stream: str, stored: Stored) -> Envelope:
        """The envelope of one entry.

        Raises:
            CodecError: the bytes do not fit the registered types.
            SecretError: the private part cannot be read.
        """
        return self.decode_many(stream, (stored,))[0]

    def decode_many(self, stream: str, entries: Iterable[Stored]) -> list[Envelope]:
        """The envelopes of many entries of one stream, in their order.

        Raises:
            CodecError: the bytes do not fit the registered types.
            SecretError: a private part cannot be read.
        """
        return self._decode_all(self._registry.decode_line, stream, entries, heads=True)

    def decode_events(self, stream: str, entries: Iterable[Stored]) -> list[TimedEvent[Event]]:
        """The events of many entries, in their order: what a fold needs, in less time.

        The heads of batches and the commitments are not decoded, so nothing is said of them.

        Raises:
            CodecError: the bytes do not fit the registered types.
            SecretError: a private part cannot be read.
        """
        return self._decode_all(self._registry.skim_line, stream, entries, heads=False)

    def _decode_all(
        self, decode: Callable[[bytes], Any], stream: str, entries: Iterable[Stored], *, heads: bool
    ) -> list[Any]:
        """What ``decode`` makes of each entry, completed by its private part.

        ``heads``: those of batches are decoded too, and to be checked.
        """
        every = list(entries)
        try:
            return self._decode_by_steps(decode, stream, every, heads=heads)
        except (ValueError, SecretError):
            # An older shape, or damaged: entry by entry it shows which, and what is wrong.
            return [self._decode_one(decode, stream, stored, heads=heads) for stored in every]

    def _decode_one(
        self, decode: Callable[[bytes], Any], stream: str, stored: Stored, *, heads: bool
    ) -> Any:  # noqa: ANN401 (a line of either kind)
        try:
            return self._decode_by_steps(decode, stream, [stored], heads=heads)[0]
        except ValueError:
            return self._as_it_was(stream, stored)

    def _decode_by_steps(
        self, decode: Callable[[bytes], Any], stream: str, entries: list[Stored], *, heads: bool
    ) -> list[Any]:
        """As ``_decode_all``, of entries in today's shapes, one step for all of them at a time.

        A step that follows itself finds its code in the processor's caches, which saves more than
        the second list costs.

        Raises:
            ValueError: some entry has another shape, or is damaged.
            SecretError: some private part cannot be read.
        """
        events, commands, keys = self._registry.events, self._registry.commands, self._keys
        lines = [decode(stored.public) for stored in entries]
        opened: list[tuple[Any, bytes]] = []
        for stored, line in zip(entries, lines, strict=True):
            if line.version != stored.version:
                raise CodecError("another version")
            if line.shape != events.shapes[type(line.event)]:
                raise CodecError("another shape")
            if heads and line.batch is not None:
                self._check_head(line.batch)
            if stored.private is not None and keys is not None:
                opened.append((line, keys.decrypt(stream, stored.version, stored.private)))
        for line, private in opened:
            secret = events.complete_by(line.event, private)
            if heads and line.batch is not None and secret != NOTHING:
                commands.complete(line.batch.command, secret)
        return lines

    def _check_head(self, batch: Batch) -> None:
        """Check the head of a batch.

        Raises:
            CodecError: something does not fit today's shapes; ``_as_it_was`` says what.
        """
        if batch.shape != self._registry.commands.shapes[type(batch.command)]:
            raise CodecError("another shape")
        if not batch.names_an_actor():
            raise CodecError("another kind of actor")

    def _as_it_was(self, stream: str, stored: Stored) -> Envelope:
        """The envelope of an entry of any shape.

        Raises:
            CodecError: the bytes do not fit the registered types; it says why.
            SecretError: the private part cannot be read.
        """
        private = self._private(stream, stored)
        try:
            line = _decode_loose(stored.public)
        except ValueError as error:
            raise CodecError(f"{stream}@{stored.version}: {error}") from error
        event = self._registry.events.upcast(line.event, _fields(private.event), line.shape)
        if line.version != stored.version:
            raise CodecError(f"the entry {stream}@{stored.version} says that it is {line.version}")
        batch = None if line.batch is None else self._head_as_it_was(line.batch, private.command)
        return Line(line.version, line.at, event, batch, line.seals, line.shape)

    def _head_as_it_was(self, head: Head[Fields], secret: Raw) -> Batch:
        if not head.names_an_actor():
            raise CodecError(f"an unknown kind of actor: {head.by!r}")
        command = self._registry.commands.upcast(head.command, _fields(secret), head.shape)
        return Head(head.by, command, head.command_id, head.rules, head.seals, head.shape)

    def _private(self, stream: str, stored: Stored) -> _Private:
        if stored.private is None or self._keys is None:
            return _NO_SECRETS
        content = self._keys.decrypt(stream, stored.version, stored.private)
        try:
            return _decode_private(content)
        except msgspec.DecodeError as error:
            raise CodecError(f"{stream}@{stored.version}, private part: {error}") from error

    def openings(
        self,
        stream: str,
        stored: Stored,
        viewer: Viewer,
        released: Released = NONE_RELEASED,
        envelope: Envelope | None = None,
    ) -> bytes | None:
        """The openings of an event that this viewer may have, as canonical JSON; None if none.

        It maps the commitments' paths, such as ``event.room``, to ``{"salt": base64url, "value":
        ...}``. Kept fields are opened to others where ``released`` says so. Who has decoded the
        entry gives its ``envelope``, which then need not be found again.

        Raises:
            CodecError: the bytes do not fit the registered types.
            SecretError: the private part cannot be read.
        """
        if viewer.at(stored.version).kind == "public":
            return None
        opener = self.opener(stream, stored, released, envelope)
        return None if opener is None else opener.openings(viewer)

    def opener(
        self,
        stream: str,
        stored: Stored,
        released: Released = NONE_RELEASED,
        envelope: Envelope | None = None,
    ) -> Opener | None:
        """Finds an event's ``openings`` for several viewers; None: it has none for anybody.

        Raises:
            CodecError, SecretError: as ``openings``.
        """
        if stored.private is None or self._keys is None:
            return None
        if envelope is None:
            envelope = self.decode(stream, stored)
        messages: list[tuple[str, Message]] = [("event", envelope.event)]
        if envelope.batch is not None:
            messages.append(("command", envelope.batch.command))
        return Opener(
            stored.version,
            messages,
            released,
            partial(self._secret_parts, stream, stored, messages),
            partial(self._salt_at, stream, stored),
            is_today=self._is_of_today(envelope),
        )

    def _is_of_today(self, envelope: Envelope) -> bool:
        """Whether an entry's messages were written in today's shapes."""
        registry, batch = self._registry, envelope.batch
        if envelope.shape != registry.events.shapes[type(envelope.event)]:
            return False
        return batch is None or batch.shape == registry.commands.shapes[type(batch.command)]

    def _secret_parts(
        self, stream: str, stored: Stored, messages: Iterable[tuple[str, Message]]
    ) -> list[SecretPart]:
        """The secret fields of an entry's messages."""
        private = self._private(stream, stored)
        secrets = (private.event, private.command)
        return [
            SecretPart(name, message, _fields(secret))
            for (name, message), secret in zip(messages, secrets, strict=False)
        ]

    def _salt_at(self, stream: str, stored: Stored, path: str, is_kept: bool) -> bytes:  # noqa: FBT001 (a partial)
        """The salt at a path of an entry that has a private part."""
        assert stored.private is not None
        assert self._keys is not None
        key = self._keys.kept_key if is_kept else self._keys.game_key
        return seal.salt(key(stream, key_id_of(stored.private)), stored.version, path)

    def opened(
        self, stream: str, stored: Stored, viewer: Viewer, released: Released = NONE_RELEASED
    ) -> bytes:
        """An event's line: the public bytes with the openings that this viewer may have.

        Raises:
            CodecError, SecretError: as ``openings``.
        """
        return with_openings(stored.public, self.openings(stream, stored, viewer, released))

    def opened_unread(self, stream: str, stored: Stored) -> bytes:
        """An event's line with every opening, whatever its type.

        Which fields are kept is not known, so their salts are those that fit.

        Raises:
            CodecError: the private part is malformed.
            SecretError: the private part cannot be read.
        """
        private = self._private(stream, stored)
        if stored.private is None or self._keys is None:
            return stored.public
        keys, key_id = self._keys, key_id_of(stored.private)
        line, opened = _decode_loose(stored.public), Fields()
        seals = {"event": line.seals, "command": {} if line.batch is None else line.batch.seals}
        for part, secret in (("event", private.event), ("command", private.command)):
            for name, value in _fields(secret).items():
                path = f"{part}.{name}"
                salts = [
                    seal.salt(key(stream, key_id), stored.version, path)
                    for key in (keys.game_key, keys.kept_key)
                ]
                fits = (
                    s for s in salts if seal.commitment(path, s, value) == seals[part].get(name)
                )
                opened[path] = {"salt": seal.text_of(next(fits, salts[0])), "value": value}
        return with_openings(stored.public, seal.canonical_plain(opened) if opened else None)


def with_openings(public: bytes, openings: bytes | None) -> bytes:
    """The public bytes with openings as a last member ``"opened"``.

    Without openings these are exactly the public bytes; removing the member gives the hashed bytes.
    """
    return public if openings is None else b'%b,"opened":%b}' % (public[:-1], openings)


def _fields(secret: Raw) -> Fields:
    """The secret fields of a message as stored.

    Raises:
        CodecError: they are not a map of fields.
    """
    try:
        return _decode_fields(secret) or {}
    except msgspec.DecodeError as error:
        raise CodecError(f"secret fields: {error}") from error


def first_key_id(entries: Iterable[Stored]) -> str | None:
    """The key id of the first private part in ``entries``, which the stream keeps; None if none.

    Raises:
        SecretError: the private part is malformed.
    """
    for stored in entries:
        if stored.private is not None:
            return key_id_of(stored.private)
    return None


class _Seals:
    """Splits the messages of one batch into their public and secret sides."""

    def __init__(self, keys: Secrets | None, stream: str, key_id: str | None) -> None:
        self._keys = keys
        self._stream = stream
        self._key_id = key_id

    def split(self, part: str, version: int, message: Message, shape: int, into: Fields) -> Fields:
        """Write the public side and the seals into ``into``; return the secret fields."""
        public: Fields = seal.plain(message)  # type: ignore[assignment]  # a struct gives a dict
        secret = {name: public.pop(name) for name in message.secrets if name in public}
        into[part] = public
        if shape > 1:
            into["shape"] = shape
        if secret:
            if self._keys is None:
                raise CodecError(f"{part}.{next(iter(secret))} is secret, and there are no keys")
            kept = {name: secret[name] for name in message.withheld if name in secret}
            rest = {name: value for name, value in secret.items() if name not in kept}
            keys, whose = self._keys, (self._stream, self._key_id)
            seals = seal.commitments(keys.game_key(*whose), version, part, rest)
            if kept:
                seals |= seal.commitments(keys.kept_key(*whose), version, part, kept)
            into["seals"] = seals
        return secret

    def box(self, version: int, event: Fields, command: Fields) -> bytes | None:
        """The private part of an entry, if it has one."""
        if self._keys is None or not (event or command):
            return None
        content = _encode_private((event or None, command or None))
        key_id = self._key_id or self._keys.current
        return self._keys.encrypt(self._stream, version, content, key_id)
