"""The message types of streams, and the history of their shapes (pure).

A type's shape is 1 plus the number of its upcasting steps. A message in an older shape goes through
the missing steps when it is read; within one registry types are never renamed and tags never
reused. Streams of another kind or game may have their own registry. A field with its default value
is not written, so defaults belong to the shape: changing one takes a step too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, defstruct
from msgspec.structs import force_setattr

from events.envelope import Envelope, Fields, Line, SkimmedLine
from events.kernel import Command, Event, Message, require_unset_defaults

M = TypeVar("M", bound=Message)

_TAG = re.compile(r"[a-z][a-z0-9-]*")

NOTHING: Final = Raw(b"\xc0")
"""The secret fields of a message that has none, in msgpack."""


class CodecError(ValueError):
    """Stored bytes that this program cannot read, or types that cannot be stored."""


class Upcaster(Struct, frozen=True):
    """One step of a type's history: from the shape ``from_shape`` to the next.

    ``step`` is pure; it gets the fields (secret ones too, where they are known; without the type)
    and returns the fields of the next shape. It must tolerate missing secret fields.
    """

    type: str
    from_shape: int
    step: Callable[[Fields], Fields]
    of: Literal["event", "command"] = "event"


class _Unused(Struct, tag_field="type", tag="\x00"):
    """Keeps a union of one type a union: outside of one, msgspec lets the tag be missing."""


class TypeKind(Generic[M]):
    """The types of one kind, all events or all commands."""

    def __init__(self, types: Sequence[type[M]], steps: Sequence[Upcaster]) -> None:
        self.by_tag: dict[str, type[M]] = {}
        self.shapes: dict[type[Message], int] = {}
        self.union: Any = _Unused
        self._steps: dict[str, list[Callable[[Fields], Fields]]] = {}
        self._decode_secrets: dict[type[Message], Callable[[Raw], Struct | None]] = {}
        self._decode_private: dict[type[Message], Callable[[bytes], Any]] = {}
        for kind in types:
            self._add(kind, [step for step in steps if step.type == kind.__struct_config__.tag])
            self.union |= kind
        unknown = {step.type for step in steps} - set(self.by_tag)
        if unknown:
            raise CodecError(f"upcasters of unknown types: {sorted(unknown)}")

    def _add(self, kind: type[M], steps: list[Upcaster]) -> None:
        tag = kind.__struct_config__.tag
        # Without a tag msgspec uses the class name, and renaming it would orphan stored events.
        if not isinstance(tag, str) or not _TAG.fullmatch(tag):
            raise CodecError(f"{kind.__name__} has no tag in small letters of its own: {tag!r}")
        if tag in self.by_tag:
            raise CodecError(f"{kind.__name__} and {self.by_tag[tag].__name__} share {tag!r}")
        if not (kind.__doc__ or "").strip():
            raise CodecError(f"{kind.__name__} has no docstring, and clients read it")
        decode_secrets, decode_private = _private_decoders(kind)
        steps = sorted(steps, key=lambda step: step.from_shape)
        if [step.from_shape for step in steps] != list(range(1, len(steps) + 1)):
            raise CodecError(f"the upcasters of {tag!r} do not follow one another from shape 1")
        self.by_tag[tag] = kind
        self.shapes[kind] = len(steps) + 1
        self._steps[tag] = [step.step for step in steps]
        self._decode_secrets[kind] = decode_secrets
        self._decode_private[kind] = decode_private

    def shape_of(self, message: Message) -> int:
        """The shape that a message is written in.

        Raises:
            CodecError: the type is not registered.
        """
        try:
            return self.shapes[type(message)]
        except KeyError:
            raise CodecError(f"{type(message).__name__} is not registered") from None

    def complete(self, message: M, secret: Raw) -> None:
        """Set the secret fields of a message just decoded from its public form.

        Raises:
            CodecError: the private part does not fit the type.
        """
        try:
            found = self._decode_secrets[type(message)](secret)
        except msgspec.DecodeError as error:
            raise CodecError(f"{type(message).__name__}, secret fields: {error}") from error
        if found is not None:
            for name in message.secrets:
                force_setattr(message, name, getattr(found, name))

    def complete_by(self, message: M, private: bytes) -> Raw:
        """As ``complete``, from a whole private part, in one pass; the other message's fields.

        Raises:
            msgspec.DecodeError: the private part is malformed, or does not fit the type.
        """
        found = self._decode_private[type(message)](private)
        secrets = found.event
        if secrets is not None:
            for name in message.secrets:
                force_setattr(message, name, getattr(secrets, name))
        other: Raw = found.command
        return other

    def upcast(self, public: Fields, secret: Fields, shape: int) -> M:
        """A message in today's shape, from the fields of the shape it was written in.

        Raises:
            CodecError: no such type or shape, or the fields do not fit.
        """
        fields = {**public, **secret}
        tag = fields.pop("type", None)
        if not isinstance(tag, str) or tag not in self.by_tag:
            raise CodecError(f"unknown type {tag!r}")
        steps = self._steps[tag]
        if not 1 <= shape <= len(steps) + 1:
            raise CodecError(f"{tag!r} has shape {shape}: it was written by newer code")
        strange = secret.keys() - set(self.by_tag[tag].secrets)
        if strange and shape == len(steps) + 1:
            raise CodecError(f"{tag!r}, secret fields: {sorted(strange)} are none of them")
        for step in steps[shape - 1 :]:
            fields = step(fields)
        try:
            result: M = msgspec.convert({**fields, "type": tag}, self.union, str_keys=True)
        except msgspec.ValidationError as error:
            raise CodecError(f"{tag!r} of shape {shape}: {error}") from error
        return result


@cache  # the types of a table are in the registry of every game, and to read annotations takes long
def _private_decoders(
    kind: type[Message],
) -> tuple[Callable[[Raw], Struct | None], Callable[[bytes], Any]]:
    """What decodes the secret fields of a message type, and a private part that begins with them.

    Raises:
        AudienceError: a secret field has another default than ``UNSET``.
    """
    require_unset_defaults(kind)
    secrets = _secret_fields(kind)
    return (
        msgspec.msgpack.Decoder(secrets | None).decode,
        msgspec.msgpack.Decoder(_private_part(secrets)).decode,
    )


def _secret_fields(kind: type[Message]) -> type[Struct]:
    """A struct of the secret fields of a message type, all of them optional."""
    wanted = [field for field in msgspec.structs.fields(kind) if field.name in kind.secrets]
    return defstruct(
        f"{kind.__name__}Secrets",
        [(field.name, field.type, UNSET) for field in wanted],
        forbid_unknown_fields=True,
        kw_only=True,
    )


def _private_part(secrets: type[Struct]) -> type[Struct]:
    """A private part whose first message has these secret fields; those of a second stay as stored.

    See ``codec`` for the form.
    """
    return defstruct(
        f"{secrets.__name__}InPart",
        [("event", secrets | None, None), ("command", Raw, NOTHING)],
        forbid_unknown_fields=True,
        array_like=True,
    )


class Registry:
    """All types of streams of one kind, or of one game.

    Args:
        events: the event types, each with a tag of its own and a docstring.
        commands: the command types, likewise.
        upcasters: the steps from older shapes.

    Raises:
        CodecError: a tag is used twice, a type has no docstring, steps do not fit together.
        AudienceError: a secret field cannot be absent.
    """

    def __init__(
        self,
        events: Sequence[type[Event]],
        commands: Sequence[type[Command]],
        upcasters: Sequence[Upcaster] = (),
    ) -> None:
        self.events = TypeKind(events, [step for step in upcasters if step.of == "event"])
        self.commands = TypeKind(commands, [step for step in upcasters if step.of == "command"])
        generic: Any = Line  # a type checker takes what stands in its brackets for types
        line = generic[self.events.union, self.commands.union]
        self.decode_line: Callable[[bytes], Envelope] = msgspec.json.Decoder(line).decode
        """The public form of an entry whose messages have today's shapes."""
        skimmed: Any = SkimmedLine
        self.skim_line: Callable[[bytes], SkimmedLine[Event]] = msgspec.json.Decoder(
            skimmed[self.events.union]
        ).decode
        """The same of which only the event is decoded."""
