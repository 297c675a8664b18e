"""Device links and recovery files: given events, when a command, then events or a rejection."""

from __future__ import annotations

import pytest

from club.account_events import (
    AccountDeleted,
    DeviceLinkMade,
    DeviceLinkUsed,
    DeviceLinkWithdrawn,
    MakeDeviceLink,
    MakeRecoveryFile,
    RecoveryFileMade,
    TokenIssued,
    TokenRevoked,
    UseDeviceLink,
    UseRecoveryFile,
    WithdrawDeviceLink,
)
from club.account_state import AccountCode
from club.accounts import TOKENS_MAX
from club.sign_ins import LINK_LASTS_MS
from events.kernel import Command, Event
from tests.club.test_accounts import ADA, BOB, NOW, Given, issued, registered

LINK = DeviceLinkMade(
    link="l1", under="t1", by=ADA.id, at=NOW, expires_at=NOW + LINK_LASTS_MS, secret_hash="ss"
)
FILE = RecoveryFileMade(by=ADA.id, at=NOW, secret_hash="rr")
USE = UseDeviceLink(token="t9", secret_hash="ss", token_hash="hh")
RECOVER = UseRecoveryFile(token="t9", secret_hash="rr", token_hash="hh")


def signed_in(origin: str) -> TokenIssued:
    given = {"token": "t9", "scopes": ("play",), "by": ADA.id, "at": NOW, "token_hash": "hh"}
    return TokenIssued(**given, origin=origin)  # type: ignore[arg-type]  # of a mapping


def test_a_link_lasts_ten_minutes_and_belongs_to_the_token_that_asked() -> None:
    command = MakeDeviceLink(link="l1", under="t1", secret_hash="ss")
    assert registered().when(command) == [LINK]


def test_a_link_gives_a_token_with_the_scopes_of_a_first_one() -> None:
    strong = registered(issued("o", "play", "organise"), LINK)
    assert strong.when(USE) == [DeviceLinkUsed(link="l1", at=NOW), signed_in("device-link")]
    tokens = registered(LINK, *registered(LINK).when(USE)).state().tokens
    assert tokens["t9"].origin == "device-link"


def test_a_link_is_used_once() -> None:
    used = registered(LINK, DeviceLinkUsed(link="l1", at=NOW))
    used.rejects(USE, AccountCode.DEVICE_LINK_USED)
    used.rejects(WithdrawDeviceLink(link="l1", under="t1"), AccountCode.DEVICE_LINK_USED)


def test_a_link_expires() -> None:
    old = DeviceLinkMade(link="l1", under="t1", by=ADA.id, at=NOW, expires_at=NOW, secret_hash="ss")
    registered(old).rejects(USE, AccountCode.DEVICE_LINK_EXPIRED)


@pytest.mark.parametrize(
    "after",
    [
        DeviceLinkWithdrawn(link="l1", by=ADA.id, at=NOW),
        TokenRevoked(token="t1", by=ADA.id, at=NOW),
        AccountDeleted(by=ADA.id, at=NOW),
        DeviceLinkMade(
            link="l2", under="t1", by=ADA.id, at=NOW, expires_at=NOW + 1, secret_hash="other"
        ),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_link_is_worthless_once_it_is_withdrawn_replaced_or_its_token_is_gone(
    after: Event,
) -> None:
    registered(LINK, after).rejects(USE, AccountCode.UNKNOWN_DEVICE_LINK)


def test_a_link_is_withdrawn_by_its_account_alone() -> None:
    withdraw = WithdrawDeviceLink(link="l1", under="t1")
    assert registered(LINK).when(withdraw) == [DeviceLinkWithdrawn(link="l1", by=ADA.id, at=NOW)]
    registered(LINK).rejects(withdraw, AccountCode.NOT_YOUR_ACCOUNT, BOB)
    registered().rejects(withdraw, AccountCode.UNKNOWN_DEVICE_LINK)


def full() -> list[TokenIssued]:
    return [issued(f"b{n}", "bot") for n in range(TOKENS_MAX - 1)]


def test_a_link_of_an_account_with_too_many_tokens_stays_good() -> None:
    registered(*full(), LINK).rejects(USE, AccountCode.TOO_MANY_TOKENS)


def test_a_recovery_file_opens_the_account_again_and_again() -> None:
    assert registered().when(MakeRecoveryFile(under="t1", secret_hash="rr")) == [FILE]
    lost = registered(FILE, TokenRevoked(token="t1", by=ADA.id, at=NOW))
    assert lost.when(RECOVER) == [signed_in("recovery-file")]
    again = UseRecoveryFile(token="t8", secret_hash="rr", token_hash="gg")
    assert Given((*lost.events, *lost.when(RECOVER))).when(again)


def test_nobody_is_locked_out_by_too_many_tokens() -> None:
    revoked, made = registered(*full(), FILE).when(RECOVER)
    assert revoked == TokenRevoked(token="t1", by=ADA.id, at=NOW)
    assert made == signed_in("recovery-file")


def test_a_new_recovery_file_makes_the_old_one_worthless() -> None:
    newer = RecoveryFileMade(by=ADA.id, at=NOW, secret_hash="newer")
    deleted = AccountDeleted(by=ADA.id, at=NOW)
    for given in (registered(FILE, newer), registered(), registered(FILE, deleted)):
        given.rejects(RECOVER, AccountCode.RECOVERY_FILE_INVALID)


@pytest.mark.parametrize(
    "command",
    [MakeDeviceLink(link="l1", under="b"), MakeRecoveryFile(under="b")],
    ids=lambda command: type(command).__name__,
)
def test_a_program_makes_neither(command: Command) -> None:
    registered(issued("b", "bot")).rejects(command, AccountCode.SCOPE_NOT_GRANTED)


def test_a_secret_that_is_not_there_opens_nothing() -> None:
    """A hash that nobody gave is equal to none, not even to one that nobody kept."""
    link = DeviceLinkMade(link="l1", under="t1", by=ADA.id, at=NOW, expires_at=NOW + 1)
    bare = registered(link, RecoveryFileMade(by=ADA.id, at=NOW))
    for use in (USE, UseDeviceLink(token="t9")):
        bare.rejects(use, AccountCode.UNKNOWN_DEVICE_LINK)
    for recover in (RECOVER, UseRecoveryFile(token="t9")):
        bare.rejects(recover, AccountCode.RECOVERY_FILE_INVALID)
