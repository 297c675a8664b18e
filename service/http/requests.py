"""Strict reading of requests: content type, JSON body, size, idempotency keys.

Litestar converts leniently and answers 500 to some malformed texts; this class reads the body once,
straight into the declared type, and reports errors as problems.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.types import Empty, HTTPScope, Receive, Scope, Send

from events.members import repeated_member
from service.http.headers import headers_of
from service.http.known_members import known_members
from service.http.principals import Principal
from service.http.problems import Flaw, Refused

_JSON: Final = b"application/json"
_KEY = re.compile(r"[\x21-\x7e]{1,128}")
_AT_MAX: Final = 200
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_NOTHING: Final = frozenset({b"", b"{}"})


class StrictRequest(Request[Principal | None, None, State]):
    """The request class of every handler. ``user`` is the caller, None if anonymous."""

    __slots__ = ()

    def header(self, name: bytes) -> str | None:
        """A header by its lower-case name; of several with the same name, the last."""
        value = headers_of(self.scope).get(name)
        return None if value is None else value.decode("latin-1")

    async def body(self) -> bytes:
        """The body, read once.

        Raises:
            Refused: body-too-large; malformed-body, if a required body is missing; bad-request, if
                the client disconnects half-way.
        """
        if self._body is Empty:
            self._body = await self._read()
            if not self._body and self.route_handler.parsed_data_field is not None:
                raise Refused("malformed-body", "a body is required")
        return self._body

    async def _read(self) -> bytes:
        limit = self.route_handler.resolve_request_max_body_size()
        assert isinstance(limit, int), "the app sets a limit"
        announced = headers_of(self.scope).get(b"content-length") or b"0"
        if not announced.isdigit() or int(announced[:20]) > limit:
            raise _too_large(limit)
        parts: list[bytes] = []
        size = 0
        while True:
            message = await self.receive()
            if message["type"] != "http.request":
                if self.scope.get("state", {}).get("late"):  # its connection has reported it
                    raise Refused("request-too-slow", "the body arrived too slowly")
                raise Refused("bad-request", "the body ended too early")
            part = message["body"]
            size += len(part)
            if size > limit:
                raise _too_large(limit)
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    async def json(self) -> Any:  # noqa: ANN401 (the type that the handler declares)
        """The body as the type that the handler declares for its ``data``.

        Raises:
            Refused: unsupported-media-type, body-too-large, malformed-body, invalid-body.
        """
        body = await self.body()
        self.require_json()
        field = self.route_handler.parsed_data_field
        kind = Any if field is None else field.annotation
        decoder = _DECODERS.get(kind)
        if decoder is None:
            decoder = _DECODERS.setdefault(kind, msgspec.json.Decoder(kind))
        try:
            decoded = decoder.decode(body)
            twice = repeated_member(body)
        except msgspec.ValidationError as error:
            raise _unfit(kind, body, str(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise _malformed() from None
        if twice is not None:
            flaw = Flaw(source="body", at=twice[:_AT_MAX], message="Given more than once")
            raise Refused("invalid-body", flaw.message, errors=(flaw,))
        return decoded

    def require_json(self) -> None:
        """Check that the body is declared as JSON.

        Raises:
            Refused: unsupported-media-type.
        """
        headers = headers_of(self.scope)
        if headers.get(b"content-type") == _JSON and b"content-encoding" not in headers:
            return
        kind, _, rest = (self.header(b"content-type") or "").partition(";")
        charset = rest.strip().lower()
        encoding = self.header(b"content-encoding") or "identity"
        if (
            kind.strip().lower() != "application/json"
            or charset not in {"", "charset=utf-8", 'charset="utf-8"'}
            or encoding.lower() != "identity"
        ):
            raise Refused(
                "unsupported-media-type", "a body must be application/json and not compressed"
            )

    async def require_no_body(self) -> None:
        """Check that a request without fields has none; ``{}`` counts as an empty body.

        Raises:
            Refused: unsupported-media-type, body-too-large, invalid-body.
        """
        body = await self.body()
        if body:
            self.require_json()
        if body.strip() not in _NOTHING:
            flaw = Flaw(source="body", at="$", message="Expected no fields")
            raise Refused("invalid-body", "this request takes no fields", errors=(flaw,))

    def idempotency_key(self, least: int = 1) -> str:
        """The client's key for this command.

        Raises:
            Refused: idempotency-key-missing; idempotency-key-invalid, also when it has fewer than
                ``least`` characters.
        """
        key = self.header(b"idempotency-key")
        if key is None:
            raise Refused("idempotency-key-missing", "send an Idempotency-Key header")
        if not _KEY.fullmatch(key) or len(key) < least:
            text = f"an Idempotency-Key has {least} to 128 visible ASCII characters"
            raise Refused("idempotency-key-invalid", text)
        return key

    @property
    def caller(self) -> Principal:
        """The caller.

        Raises:
            Refused: token-needed, if anonymous.
        """
        user: Principal | None = self.scope["user"]
        if user is None:
            raise token_needed()
        return user

    @property
    def player(self) -> str | None:
        """The calling player; None if anonymous."""
        user: Principal | None = self.scope["user"]
        return None if user is None else user.player


class BareRequest(StrictRequest):
    """A request without Litestar's bookkeeping: no cookies, no forms, no parsed queries.

    For handlers that use none of these, which are most of the cost of a request object.
    """

    __slots__ = ()

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = cast("HTTPScope", scope)
        self.receive = receive
        self.send = send
        self._body = Empty


def token_needed() -> Refused:
    """The answer to an anonymous request where a token is needed (RFC 6750)."""
    headers = {"WWW-Authenticate": "Bearer"}
    return Refused("token-needed", "send Authorization: Bearer <token>", headers=headers)


def _unfit(kind: Any, body: bytes, reason: str) -> Refused:  # noqa: ANN401 (a type)
    """The refusal of a body that is not of a type, or not JSON at all.

    The first misfit stops the decoder, so nobody has read yet what comes after it.
    """
    try:
        value = msgspec.json.decode(body)
    except msgspec.ValidationError:  # a number that is too large for us
        value = None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _malformed()
    what, _, at = reason.partition(" - at `")
    at = at.rstrip("`") or "$"
    known = known_members(kind, value, what, at) or msgspec.UNSET
    flaw = Flaw(source="body", at=at, message=what, known=known)
    return Refused("invalid-body", what, errors=(flaw,))


def _malformed() -> Refused:
    return Refused("malformed-body", "the body is not JSON in UTF-8")


def _too_large(limit: int) -> Refused:
    # The rest of the body is never read, so the connection cannot be used again.
    return Refused(
        "body-too-large", f"a body has at most {limit} bytes", headers={"Connection": "close"}
    )
