"""Problem documents as the bytes of a whole HTTP answer, for what never reaches the app.

After each of them the connection ends.
"""

from __future__ import annotations

from email.utils import formatdate
from http import HTTPStatus

import msgspec

from service.problems import PROBLEM_JSON, problem


def raw_answer(
    code: str, detail: str, request_id: str, retry_after_s: int | None = None
) -> tuple[int, bytes]:
    """The status and the bytes of an answer with a problem document.

    Args:
        code: of the problem.
        detail: a sentence for people.
        request_id: names it in the log.
        retry_after_s: seconds after which to try again, if that helps.

    Raises:
        KeyError: there is no such problem.
    """
    document = problem(code, detail)
    body = msgspec.json.encode(document)
    lines = [
        f"HTTP/1.1 {document.status} {HTTPStatus(document.status).phrase}",
        f"date: {formatdate(usegmt=True)}",
        f"content-type: {PROBLEM_JSON}",
        f"content-length: {len(body)}",
        "cache-control: no-store",
        "connection: close",
        f"x-request-id: {request_id}",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    ]
    if retry_after_s is not None:
        lines.append(f"retry-after: {retry_after_s}")
    return document.status, "\r\n".join([*lines, "", ""]).encode() + body
