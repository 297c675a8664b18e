"""Where a request begins and ends, told strictly: what could be read in two ways is refused.

Whoever stands between a client and us reads the same bytes. If the two of us disagree about where a
request ends, one caller's body is another's request (request smuggling). So nothing is forgiven
that RFC 9112 allows a server to forgive, and nothing is read behind it. The parser of the server
library forgives a few of these, and where it does not it sees the same bytes after us.
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
"""A request line and header fields (RFC 9112 §3, §5): no folded lines, no CR or LF by itself, no
NUL, no white space before a colon, no other version than ours."""

_TRAILERS: Final = re.compile(_FIELDS)
_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8}+)(?:;[\t\x20-\x7e\x80-\xff]*+)?\r\n")
"""The line before a chunk (RFC 9112 §7.1): its size, and extensions that nobody knows."""

_ODD: Final = re.compile(rb"[^\r]\n|\r[^\n]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UPGRADE: Final = re.compile(rb"(?<=\r\n)upgrade:[^\r]*\r\n", re.IGNORECASE)
_LENGTH: Final = re.compile(rb"[0-9]{1,15}")
_AUTHORITY: Final = re.compile(rb"https?://([^/?#@]+)(?:[/?#]|\Z)", re.IGNORECASE)
_SINGLE: Final = (b"content-length", b"transfer-encoding", b"host")
_HEX: Final = frozenset(b"0123456789abcdefABCDEF")
_CAPITALS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Unfit(Exception):
    """A request that is not read on: ``code`` is of a problem, ``detail`` a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def ambiguous(detail: str) -> Unfit:
    """What breaks HTTP, or could be read in two ways."""
    return Unfit("bad-request", detail)


def checked_head(head: bytes, fields: int) -> bytes:
    """A whole header section with its request line, as it is to be parsed.

    A wish to speak another protocol is taken out, for we know none (RFC 9110 §7.8 lets us): the
    parser would take the body of such a request for the other protocol's. Spelt as nobody spells it
    the wish is left, and whoever sees that the parser would grant it must refuse the request.

    Args:
        head: up to and with the empty line.
        fields: how many header fields there may be.

    Raises:
        Unfit: bad-request; headers-too-large for too many fields.
    """
    if _HEAD.fullmatch(head) is None:
        raise ambiguous("the request line or a header field is malformed")
    if head.count(b"\n") > fields + 2:
        raise Unfit("headers-too-large", f"a request has at most {fields} header fields")
    if b"pgrade:" in head or b"UPGRADE:" in head:
        return _UPGRADE.sub(b"", head)
    return head


def check_begun(data: bytes, new_from: int, *, digits: bool = False) -> None:
    """Look at the beginning of a head or, with ``digits``, of a line before a chunk.

    What can become neither is refused at once: nobody waits for the end of it.

    Args:
        data: what has come of it, at least a byte.
        new_from: how much of it has been looked at before.
        digits: it is a chunk's line.

    Raises:
        Unfit: bad-request.
    """
    if data[0] not in (_HEX if digits else _CAPITALS):
        raise ambiguous("this is no HTTP/1.1")
    if _ODD.search(data, max(0, new_from - 1)):
        raise ambiguous("a line has characters that belong in none")


def length_of(
    version: str, headers: Sequence[tuple[bytes, bytes]], found: Mapping[bytes, bytes]
) -> int | None:
    """The length of a body in bytes, 0 where there is none; None: it comes in chunks.

    Args:
        version: of HTTP, ``1.0`` or ``1.1``.
        headers: all header fields, names in small letters.
        found: the same by name.

    Raises:
        Unfit: bad-request.
    """
    if len(found) < len(headers):
        for name in _SINGLE:
            if sum(each == name for each, _ in headers) > 1:
                raise ambiguous(f"{name.decode()} came more than once")
    if b"host" not in found and version != "1.0":
        raise ambiguous("host is missing")
    length, encoding = found.get(b"content-length"), found.get(b"transfer-encoding")
    if encoding is not None:
        if length is not None or version == "1.0" or encoding.strip().lower() != b"chunked":
            raise ambiguous("the length of the body can be read in two ways")
        return None
    if length is None:
        return 0
    if _LENGTH.fullmatch(length.strip(b" \t")) is None:
        raise ambiguous("content-length is no number")
    return int(length)


def check_target(target: bytes, found: Mapping[bytes, bytes]) -> None:
    """See that a target has no fragment, and that a host in it is the one that ``Host`` names.

    RFC 9112 §3.2.2 has the target's host count; who goes by the other one must come to the same.

    Raises:
        Unfit: bad-request.
    """
    if b"#" in target:
        raise ambiguous("a target has no fragment")
    if target[:1] == b"/":
        return
    named = _AUTHORITY.match(target)
    if named is None or named[1].lower() != found.get(b"host", named[1]).strip().lower():
        raise ambiguous("the target is neither a path nor of the host that is named")


def size_of(line: bytes) -> int:
    """The size of a chunk by the line before it.

    Raises:
        Unfit: bad-request.
    """
    found = _SIZE.fullmatch(line)
    if found is None:
        raise ambiguous("the size of a chunk is malformed")
    return int(found[1], 16)


def check_trailers(trailers: bytes) -> None:
    """Look at the fields behind the last chunk, up to and with the empty line.

    Raises:
        Unfit: bad-request.
    """
    if _TRAILERS.fullmatch(trailers) is None:
        raise ambiguous("a trailer field is malformed")
