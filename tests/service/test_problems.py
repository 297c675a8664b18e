"""Every rejection is a documented problem, and every problem is tested over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from club.account_state import AccountCode as ClubCode
from events.kernel import Rejected
from events.keys import SecretError
from events.log import Damaged
from events.registry import CodecError
from events.scripts import LogUnavailable
from events.skew import ClockSkew
from events.transact import Busy, NoSuchStream
from games.room25 import Code as Room25Code
from games.table.checks import TableCode
from service.http.problems import KINDS, SECTIONS, describe, problem
from tests.service import stage
from tests.service.stage import Stage

ROOT = Path(__file__).resolve().parents[2]

UNREACHABLE = {
    "account-exists": "player ids are derived from the key: the same one is a repetition",
    "unknown-account": "an account that does not exist is player-not-found before",
    "token-exists": "token ids are derived from the key: the same one is a repetition",
    "table-exists": "game ids are derived from the key: the same one is a repetition",
    "not-invited": "a private table is game-not-found to those who are not invited",
    "choice-not-secret": "the desk hands a choice in as its decision asks for it",
    "choice-not-public": "the desk hands a choice in as its decision asks for it",
    "nothing-due": "time-outs are the workers' commands",
    "not-due-yet": "time-outs are the workers' commands",
    "restored-before": "only the store's own command holds games",
    "nothing-lost": "only the store's own command holds games",
    "not-an-auditor": "a token without the scope is scope-missing before",
    "bad-inspection": "the body's schema refuses it first",
    "bad-extension": "the body's schema refuses it first",
    "bad-pause": "the body's schema refuses it first",
    "unknown-decision": "the table asks first, and says decision-not-open",
}
"""Codes that no request can bring about, and why."""


@pytest.mark.parametrize(
    "codes", [ClubCode, TableCode, Room25Code], ids=["club", "table", "room25"]
)
def test_every_rejection_code_is_a_documented_problem(codes: type[StrEnum]) -> None:
    assert {str(code) for code in codes} <= set(KINDS)


def test_every_problem_is_tested_over_http_or_cannot_be_met() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    tested = {code for text in texts for code in re.findall(r'"([a-z0-9-]+)"', text)}
    missing = set(KINDS) - set(UNREACHABLE) - tested
    assert missing == set()
    assert set(UNREACHABLE) <= set(KINDS)


def test_the_documentation_is_made_from_the_table() -> None:
    assert (ROOT / "docs/problems.md").read_text(encoding="utf-8") == describe()


def test_kinds_are_complete_sentences_with_a_status() -> None:
    for kind in KINDS.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.code)
        assert 400 <= kind.status < 600
        assert kind.title
        assert kind.title[-1] != "."
        assert kind.meaning.endswith(".")
    for kinds in SECTIONS.values():
        assert [kind.status for kind in kinds] == sorted(kind.status for kind in kinds)


def test_a_problem_without_a_kind_cannot_be_made() -> None:
    with pytest.raises(KeyError):
        problem("no-such-code", "")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LogUnavailable("down"), "store-unavailable"),
        (ClockSkew("an hour"), "clock-skew"),
        (Busy("again and again"), "too-busy"),
        (Damaged("a hole"), "stream-damaged"),
        (CodecError("nonsense"), "stream-damaged"),
        (SecretError("no key"), "stream-damaged"),
        (NoSuchStream("g00"), "game-not-found"),
        (Rejected("never-heard-of", "it"), "internal-error"),
        (ZeroDivisionError("it"), "internal-error"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
)
async def test_what_goes_wrong_inside_has_a_problem_too(
    on: Stage, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    async def fail(*_: object, **__: object) -> Any:
        raise error

    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    check: Callable[..., Any] = stage.problem
    monkeypatch.setattr(type(on.service.app_context.tables), "view", fail)
    answer = await ada.get(f"/v1/games/{game}")
    body = check(answer, code)
    assert "g00" not in body["detail"]
    assert ("retry-after" in answer.headers) is (answer.status_code == 503)
