"""Passkeys: given events, when a command, then events or a rejection."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from club.account_events import (
    FIRST_SCOPES,
    AccountDeleted,
    LabelPasskey,
    MakePasskey,
    PasskeyLabelled,
    PasskeyMade,
    PasskeyRevoked,
    PasskeyUsed,
    RevokePasskey,
    TokenIssued,
    TokenRevoked,
    UsePasskey,
)
from club.account_state import AccountCode
from club.accounts import TOKENS_MAX
from club.passkeys import PASSKEYS_MAX
from events.kernel import Command
from tests.club.test_accounts import ADA, BOB, NOW, SEAL, issued, registered

MADE = PasskeyMade(
    passkey="k1", by=ADA.id, at=NOW, counter=4, credential="cc", public_key="kk", label_seal=SEAL
)
REVOKED = PasskeyRevoked(passkey="k1", by=ADA.id, at=NOW)
MAKE = MakePasskey(
    passkey="k1", under="t1", counter=4, credential="cc", public_key="kk", label_seal=SEAL
)
USE = UsePasskey(passkey="k1", token="t9", counter=5, token_hash="hh")
LABEL = LabelPasskey(passkey="k1", under="t1", label_seal="n" * 43)
REVOKE = RevokePasskey(passkey="k1", under="t1")


def signed_in(name: str = "t9") -> TokenIssued:
    return TokenIssued(
        token=name,
        scopes=FIRST_SCOPES,
        by=ADA.id,
        at=NOW,
        token_hash="hh",
        origin="passkey",
    )


def test_a_passkey_is_made_once_for_an_account() -> None:
    assert registered().when(MAKE) == [MADE]
    registered(MADE).rejects(MAKE, AccountCode.PASSKEY_EXISTS)
    registered(MADE, REVOKED).rejects(MAKE, AccountCode.PASSKEY_EXISTS)
    with pytest.raises(ValueError, match="expected the seal of a name, not a name"):
        registered().when(replace(MAKE, label_seal="the phone"))


def test_an_account_has_so_many_passkeys_that_are_not_revoked() -> None:
    full = registered(*(replace(MADE, passkey=f"k{n}") for n in range(PASSKEYS_MAX)))
    another = replace(MAKE, passkey="another")
    full.rejects(another, AccountCode.TOO_MANY_PASSKEYS)
    freed = registered(*full.events[2:], REVOKED)
    assert freed.when(another)


def test_a_passkey_signs_in_again_and_again_while_it_counts_on() -> None:
    used = PasskeyUsed(passkey="k1", at=NOW, counter=5)
    assert registered(MADE).when(USE) == [used, signed_in()]
    again = registered(MADE, used)
    passkey = again.state().passkeys["k1"]
    assert (passkey.counter, passkey.used_at, passkey.made_at) == (5, NOW, NOW)
    for counter in (5, 4, 0):
        again.rejects(replace(USE, counter=counter), AccountCode.PASSKEY_COUNTER_BEHIND)
    assert again.when(replace(USE, counter=6))


def test_a_passkey_that_does_not_count_may_go_on_not_counting() -> None:
    given = registered(replace(MADE, counter=0))
    assert given.when(replace(USE, counter=0))
    assert given.when(replace(USE, counter=1))


def test_a_revoked_passkey_signs_nobody_in_and_its_tokens_stay() -> None:
    given = registered(MADE, PasskeyUsed(passkey="k1", at=NOW, counter=5), signed_in())
    assert given.when(REVOKE) == [REVOKED]
    after = registered(*given.events[2:], REVOKED)
    for command in (USE, LABEL, REVOKE):
        after.rejects(command, AccountCode.PASSKEY_REVOKED)
    assert after.state().live_tokens == ["t1", "t9"]


def test_a_passkey_is_called_something_else() -> None:
    (event,) = registered(MADE).when(LABEL)
    assert event == PasskeyLabelled(passkey="k1", by=ADA.id, at=NOW, label_seal="n" * 43)
    assert registered(MADE, event).state().passkeys["k1"].label_seal == "n" * 43


def test_signing_in_often_revokes_what_passkeys_gave_before_anything_else() -> None:
    others = [issued(f"b{n}", "bot") for n in range(TOKENS_MAX - 2)]
    full = registered(MADE, *others, signed_in("old"))
    first, *_ = full.when(USE)
    assert first == TokenRevoked(token="old", by=ADA.id, at=NOW)
    more = registered(MADE, *others, issued("b", "bot"))
    assert more.when(USE)[0] == TokenRevoked(token="t1", by=ADA.id, at=NOW)


@pytest.mark.parametrize("command", [USE, LABEL, REVOKE], ids=lambda c: type(c).__name__)
def test_what_is_not_there_does_nothing(command: Command) -> None:
    registered().rejects(command, AccountCode.UNKNOWN_PASSKEY)


def test_a_deleted_account_has_none() -> None:
    deleted = registered(MADE, AccountDeleted(by=ADA.id, at=NOW))
    deleted.rejects(USE, AccountCode.UNKNOWN_PASSKEY)
    assert deleted.state().passkeys == {}


@pytest.mark.parametrize("command", [MAKE, LABEL, REVOKE], ids=lambda c: type(c).__name__)
def test_a_person_of_the_account_alone_manages_them(command: Command) -> None:
    given = registered(replace(MADE, passkey="k2"), issued("b", "bot"))
    given.rejects(command, AccountCode.NOT_YOUR_ACCOUNT, BOB)
    given.rejects(replace(command, under="b"), AccountCode.SCOPE_NOT_GRANTED)
    given.rejects(replace(command, under="gone"), AccountCode.UNKNOWN_TOKEN)
