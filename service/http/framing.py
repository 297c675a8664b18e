"""Strict framing of requests: anything ambiguous is refused.

A proxy between a client and us reads the same bytes. If it disagrees with us about where a request
ends, one caller's body becomes another's request (request smuggling). So none of the leniency that
RFC 9112 allows a server is granted, and nothing after a malformed request is read. The server
library's parser is lenient in a few of these cases, and sees the bytes only after us.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

HEAD_END: Final = b"\r\n\r\n"
LINE_END: Final = b"\r\n"

_TOKEN: Final = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_FIELDS: Final = rb"(?:" + _TOKEN + rb":[\t\x20-\x7e\x80-\xff]*+\r\n)*+\r\n"
_HEAD: Final = re.compile(rb"[A-Z]{1,20}+ [\x21-\x7e]++ HTTP/1\.[01]\r\n" + _FIELDS)
"""A request line and header fields (RFC 9112 §3, §5): no folded lines, no bare CR or LF, no NUL, no
white space before a colon, no version but 1.0 and 1.1.
"""

_TRAILERS: Final = re.compile(_FIELDS)
_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8}+)(?:;[\t\x20-\x7e\x80-\xff]*+)?\r\n")
"""The line before a chunk (RFC 9112 §7.1): its size, and extensions, which are ignored."""

_ODD: Final = re.compile(rb"[^\r]\n|\r[^\n]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UPGRADE: Final = re.compile(rb"(?<=\r\n)upgrade:[^\r]*\r\n", re.IGNORECASE)
_LENGTH: Final = re.compile(rb"[0-9]{1,15}")
_AUTHORITY: Final = re.compile(rb"https?://([^/?#@]+)(?:[/?#]|\Z)", re.IGNORECASE)
_SINGLE: Final = (b"content-length", b"transfer-encoding", b"host")
_HEX: Final = frozenset(b"0123456789abcdefABCDEF")
_CAPITALS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Unfit(Exception):
    """A request that is refused while being read: a problem's ``code``, a ``detail`` for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def ambiguous(detail: str) -> Unfit:
    """The refusal of a malformed or ambiguous request."""
    return Unfit("bad-request", detail)


def checked_head(head: bytes, fields: int) -> bytes:
    """Check a complete header section with its request line, and prepare it for the parser.

    A request for a protocol upgrade is removed, because we support none (RFC 9110 §7.8 permits
    that): the parser would treat the body of such a request as the other protocol's. With an
    unusual spelling it is left in place, and the request must be refused if the parser would honour
    it.

    Args:
        head: up to and including the empty line.
        fields: the maximum number of header fields.

    Raises:
        Unfit: bad-request; headers-too-large for too many fields.
    """
    if _HEAD.fullmatch(head) is None:
        raise ambiguous("the request line or a header field is malformed")
    if head.count(b"\n") > fields + 2:
        raise Unfit("headers-too-large", f"a request has at most {fields} header fields")
    # Not by ``in``: of bytes it asks first whether they are a number, and formats an error.
    if head.find(b"pgrade:") >= 0 or head.find(b"UPGRADE:") >= 0:
        return _UPGRADE.sub(b"", head)
    return head


def check_begun(data: bytes, new_from: int, *, digits: bool = False) -> None:
    """Check the beginning of a head or, with ``digits``, of a line before a chunk.

    What can become neither is refused at once, without waiting for its end.

    Args:
        data: what has arrived of it, at least one byte.
        new_from: how much of it has been checked before.
        digits: whether it is a chunk's line.

    Raises:
        Unfit: bad-request.
    """
    if data[0] not in (_HEX if digits else _CAPITALS):
        raise ambiguous("this is not HTTP/1.1")
    if _ODD.search(data, max(0, new_from - 1)):
        raise ambiguous("a line contains characters that are not allowed")


def length_of(
    version: str, headers: Sequence[tuple[bytes, bytes]], found: Mapping[bytes, bytes]
) -> int | None:
    """The length of a body in bytes, 0 if there is none; None: it is chunked.

    Args:
        version: of HTTP, ``1.0`` or ``1.1``.
        headers: all header fields, with names in lower case.
        found: the same fields by name.

    Raises:
        Unfit: bad-request.
    """
    if len(found) < len(headers):
        for name in _SINGLE:
            if sum(each == name for each, _ in headers) > 1:
                raise ambiguous(f"{name.decode()} occurs more than once")
    if b"host" not in found and version != "1.0":
        raise ambiguous("the Host header is missing")
    length, encoding = found.get(b"content-length"), found.get(b"transfer-encoding")
    if encoding is not None:
        if length is not None or version == "1.0" or encoding.strip().lower() != b"chunked":
            raise ambiguous("the length of the body is ambiguous")
        return None
    if length is None:
        return 0
    if _LENGTH.fullmatch(length.strip(b" \t")) is None:
        raise ambiguous("Content-Length is not a number")
    return int(length)


def check_target(target: bytes, found: Mapping[bytes, bytes]) -> None:
    """Check that a target has no fragment, and that a host in it matches ``Host``.

    By RFC 9112 §3.2.2 the host in the target takes precedence; a reader of the other one must get
    the same.

    Raises:
        Unfit: bad-request.
    """
    if target.find(b"#") >= 0:  # not by ``in``, as above
        raise ambiguous("a request target must not have a fragment")
    if target[:1] == b"/":
        return
    named = _AUTHORITY.match(target)
    if named is None or named[1].lower() != found.get(b"host", named[1]).strip().lower():
        raise ambiguous("the request target is neither a path nor on the host that Host names")


def size_of(line: bytes) -> int:
    """The size of a chunk, from the line before it.

    Raises:
        Unfit: bad-request.
    """
    found = _SIZE.fullmatch(line)
    if found is None:
        raise ambiguous("the size of a chunk is malformed")
    return int(found[1], 16)


def check_trailers(trailers: bytes) -> None:
    """Check the fields after the last chunk, up to and including the empty line.

    Raises:
        Unfit: bad-request.
    """
    if _TRAILERS.fullmatch(trailers) is None:
        raise ambiguous("a trailer field is malformed")
