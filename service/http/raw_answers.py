"""Problem documents as complete HTTP answers, for requests that never reach the app.

The connection is closed after each of them.
"""

from __future__ import annotations

from email.utils import formatdate
from http import HTTPStatus

import msgspec

from service.http.problems import PROBLEM_JSON, problem


def raw_answer(
    code: str, detail: str, request_id: str, retry_after_s: int | None = None
) -> tuple[int, bytes]:
    """The status and the bytes of an answer with a problem document.

    Args:
        code: the code of the problem.
        detail: a sentence for people.
        request_id: identifies the request in the log.
        retry_after_s: seconds after which to retry, if that helps.

    Raises:
        KeyError: the code does not exist.
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
