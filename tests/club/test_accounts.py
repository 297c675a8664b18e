"""The account of a player: given events, when a command, then events or a rejection."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from club.account_events import (
    ACCOUNT_COMMANDS,
    ACCOUNT_EVENTS,
    FIRST_SCOPES,
    SCOPES,
    AccountDeleted,
    AccountRegistered,
    DeleteAccount,
    IssueToken,
    LabelToken,
    PlayerRenamed,
    RegisterPlayer,
    RenamePlayer,
    RevokeOtherTokens,
    RevokeToken,
    Scope,
    TokenIssued,
    TokenLabelled,
    TokenRevoked,
)
from club.account_state import Account, AccountCode
from club.accounts import LABEL_MAX, NAME_MAX, TOKENS_MAX, Accounts, check_label, check_name
from club.authority import lends
from events.draw import Draw
from events.kernel import (
    FULL,
    PUBLIC,
    Actor,
    Command,
    Context,
    Event,
    Rejected,
    fold,
    redact,
    require_unset_defaults,
)

ADA, BOB, OPERATOR = Actor("player", "p00-ada"), Actor("player", "p00-bob"), Actor("director", "op")
NOW = 1_700_000_000_000
DECIDER = Accounts()
SEAL = "s" * 43
DELETED = AccountDeleted(by=ADA.id, at=NOW)


class Given(NamedTuple):
    """A history, and what follows from a command."""

    events: tuple[Event, ...] = ()

    def state(self) -> Account:
        return fold(DECIDER, self.events)

    def when(self, command: Command, actor: Actor = ADA) -> list[Event]:
        state = self.state()
        before = DECIDER.copy(state)
        try:
            work = DECIDER.carry_out(command, state, Context(NOW, actor, Draw(b"")))
        finally:
            assert state == before, "decide changed its argument"
        assert work.events
        assert work.state == fold(DECIDER, work.events, state)
        return work.events

    def rejects(self, command: Command, code: AccountCode, actor: Actor = ADA) -> None:
        with pytest.raises(Rejected) as caught:
            self.when(command, actor)
        assert caught.value.code == code


def registered(*extra: Event) -> Given:
    first = TokenIssued(token="t1", scopes=FIRST_SCOPES, by=ADA.id, at=NOW, token_hash="aa")
    return Given((AccountRegistered(player=ADA.id, name_seal=SEAL, at=NOW), first, *extra))


def issued(token: str, *scopes: Scope) -> TokenIssued:
    return TokenIssued(token=token, scopes=scopes, by=ADA.id, at=NOW, token_hash="bb")


def asks(*scopes: Scope, under: str = "t1", **more: Any) -> IssueToken:
    return IssueToken(**{"token": "t2", "scopes": scopes, "under": under} | more)


def test_registering_makes_a_player_with_a_first_token() -> None:
    command = RegisterPlayer(name_seal=SEAL, token="t1", token_hash="aa")
    assert Given().when(command) == list(registered().events)


def test_an_account_is_registered_once() -> None:
    again = RegisterPlayer(name_seal=SEAL, token="t9", token_hash="cc")
    registered().rejects(again, AccountCode.ACCOUNT_EXISTS)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " Ada",
        "Ada ",
        "A\nda",
        "\u202eada",
        "\u3164",
        "\u2800\ufe0f",
        "\u0301A",
        "x" * (NAME_MAX + 1),
    ],
)
def test_a_name_is_short_and_printable(name: str) -> None:
    with pytest.raises(Rejected) as caught:
        check_name(name)
    assert caught.value.code == AccountCode.BAD_NAME


def test_a_name_where_its_seal_belongs_stops_the_program() -> None:
    with pytest.raises(ValueError, match="expected the seal of a name, not a name"):
        Given().when(RegisterPlayer(name_seal="Ada", token="t1", token_hash="aa"))
    with pytest.raises(ValueError, match="expected the seal of a name, not a name"):
        registered().when(asks("bot", label_seal="my bot"))


def test_a_player_is_renamed_and_the_account_knows_the_seals_of_former_names() -> None:
    (event,) = registered().when(RenamePlayer(name_seal="n" * 43, under="t1"))
    assert event == PlayerRenamed(name_seal="n" * 43, by=ADA.id, at=NOW)
    state = registered(event).state()
    assert (state.name_seal, state.former_seals) == ("n" * 43, (SEAL,))


def test_who_may_not_delete_the_account_does_not_rename_its_player_either() -> None:
    new = RenamePlayer(name_seal="n" * 43, under="t1")
    given = registered(issued("b", "bot"))
    given.rejects(RenamePlayer(name_seal=SEAL, under="t1"), AccountCode.NAME_UNCHANGED)
    given.rejects(RenamePlayer(name_seal="n" * 43, under="b"), AccountCode.SCOPE_NOT_GRANTED)
    given.rejects(new, AccountCode.NOT_YOUR_ACCOUNT, BOB)
    registered(DELETED).rejects(new, AccountCode.TOKEN_REVOKED)
    with pytest.raises(ValueError, match="expected the seal of a name, not a name"):
        given.when(RenamePlayer(name_seal="Ada", under="t1"))


def test_a_player_hands_out_tokens_within_the_scopes_of_the_one_that_asks() -> None:
    (event,) = registered().when(asks("bot", token_hash="bb", label_seal=SEAL))
    assert event == TokenIssued(
        token="t2", scopes=("bot",), by=ADA.id, at=NOW, token_hash="bb", label_seal=SEAL
    )


@pytest.mark.parametrize("scope", ["organise", "audit", "admin"])
def test_a_players_own_token_gives_nothing_that_it_does_not_have(scope: Scope) -> None:
    registered().rejects(asks("play", scope), AccountCode.SCOPE_NOT_GRANTED)


def test_a_bot_token_gives_no_play_token() -> None:
    registered(issued("b", "bot")).rejects(asks("play", under="b"), AccountCode.SCOPE_NOT_GRANTED)


def test_an_admin_of_another_account_gives_any_scope() -> None:
    (event,) = registered().when(asks("organise", under="", admin=True), OPERATOR)
    assert isinstance(event, TokenIssued)
    assert (event.scopes, event.by) == (("organise",), "op")


def test_an_admin_token_of_the_account_gives_any_scope() -> None:
    (event,) = registered(issued("a", "admin")).when(asks("audit", under="a"))
    assert isinstance(event, TokenIssued)


def test_another_player_gives_nothing() -> None:
    registered().rejects(asks("play"), AccountCode.NOT_YOUR_ACCOUNT, BOB)
    registered().rejects(RevokeToken(token="t1", under="t1"), AccountCode.NOT_YOUR_ACCOUNT, BOB)


def test_a_revoked_token_hands_out_no_successor() -> None:
    revoked = TokenRevoked(token="t1", by=ADA.id, at=NOW)
    registered(revoked).rejects(asks("play"), AccountCode.TOKEN_REVOKED)
    registered().rejects(asks("play", under="t7"), AccountCode.UNKNOWN_TOKEN)


@pytest.mark.parametrize("scopes", [(), ("play", "play"), ("play", "cheat")])
def test_scopes_are_known_and_named_once(scopes: Any) -> None:
    registered().rejects(asks(*scopes), AccountCode.BAD_SCOPES)


def test_scopes_are_kept_in_one_order() -> None:
    (event,) = registered(issued("a", "admin")).when(asks("organise", "play", under="a"))
    assert isinstance(event, TokenIssued)
    assert event.scopes == ("play", "organise")


@pytest.mark.parametrize("scopes", [("play", "bot"), ("bot", "play"), ("play", "bot", "admin")])
def test_no_token_is_a_persons_and_a_programs(scopes: Any) -> None:
    registered().rejects(asks(*scopes), AccountCode.PERSON_OR_PROGRAM)
    by_admin = asks(*scopes, under="", admin=True)
    with pytest.raises(Rejected) as refusal:
        registered().when(by_admin, OPERATOR)
    assert refusal.value.code == AccountCode.PERSON_OR_PROGRAM


def test_a_first_token_is_a_persons() -> None:
    assert FIRST_SCOPES == ("play",)


def test_a_person_revokes_a_programs_token_and_no_program_a_persons() -> None:
    both = registered(issued("b", "bot"))
    assert both.when(RevokeToken(token="b", under="t1"))
    both.rejects(RevokeToken(token="t1", under="b"), AccountCode.SCOPE_NOT_GRANTED)


def test_a_token_is_called_something_and_nothing_again() -> None:
    (event,) = registered().when(LabelToken(token="t1", under="t1", label_seal=SEAL))
    assert event == TokenLabelled(token="t1", by=ADA.id, at=NOW, label_seal=SEAL)
    called = registered(event)
    assert called.state().tokens["t1"].label_seal == SEAL
    (event,) = called.when(LabelToken(token="t1", under="t1"))
    assert registered(event).state().tokens["t1"].label_seal == ""


def test_who_may_not_revoke_a_token_does_not_label_it_either() -> None:
    given = registered(issued("b", "bot"), TokenRevoked(token="b", by=ADA.id, at=NOW))
    given.rejects(LabelToken(token="b", under="t1"), AccountCode.TOKEN_REVOKED)
    given.rejects(LabelToken(token="t7", under="t1"), AccountCode.UNKNOWN_TOKEN)
    given.rejects(LabelToken(token="t1", under="t1"), AccountCode.NOT_YOUR_ACCOUNT, BOB)
    both = registered(issued("b", "bot"))
    both.rejects(LabelToken(token="t1", under="b"), AccountCode.SCOPE_NOT_GRANTED)


def test_all_tokens_are_revoked_but_the_one_that_asks() -> None:
    gone = TokenRevoked(token="t3", by=ADA.id, at=NOW)
    given = registered(issued("t2", "play"), issued("t3", "play"), gone, issued("b", "bot"))
    events = given.when(RevokeOtherTokens(under="t2"))
    assert events == [TokenRevoked(token=name, by=ADA.id, at=NOW) for name in ("t1", "b")]


def test_stronger_tokens_than_the_one_that_asks_stay() -> None:
    given = registered(issued("o", "organise"), issued("b", "bot"))
    assert [e.token for e in given.when(RevokeOtherTokens(under="t1"))] == ["b"]  # type: ignore[attr-defined]  # all are
    registered(issued("o", "organise")).rejects(
        RevokeOtherTokens(under="t1"), AccountCode.SCOPE_NOT_GRANTED
    )
    registered().rejects(RevokeOtherTokens(under="t1"), AccountCode.NO_OTHER_TOKENS)
    registered().rejects(RevokeOtherTokens(under="t1"), AccountCode.NOT_YOUR_ACCOUNT, BOB)


def test_the_first_token_came_with_the_account_and_others_were_asked_for() -> None:
    tokens = registered(issued("b", "bot")).state().tokens
    assert [token.origin for token in tokens.values()] == ["registration", "request"]


def test_what_a_token_lends() -> None:
    assert lends(("play", "organise")) == {"play", "bot", "organise"}
    assert lends(("bot",)) == {"bot"}
    assert lends(("organise", "audit")) == {"organise", "audit"}
    assert lends(("admin",)) == set(SCOPES)


def test_a_label_is_short_and_printable() -> None:
    check_label("")
    check_label("x" * LABEL_MAX)
    for label in ("x" * (LABEL_MAX + 1), "a\x00b"):
        with pytest.raises(Rejected) as caught:
            check_label(label)
        assert caught.value.code == AccountCode.BAD_LABEL


def test_a_token_id_is_used_once() -> None:
    registered().rejects(asks("play", token="t1"), AccountCode.TOKEN_EXISTS)


def test_live_tokens_are_limited_and_revoked_ones_do_not_count() -> None:
    many = [issued(f"m{n}", "play") for n in range(TOKENS_MAX - 1)]
    registered(*many).rejects(asks("play"), AccountCode.TOO_MANY_TOKENS)
    gone = TokenRevoked(token="m0", by=ADA.id, at=NOW)
    assert registered(*many, gone).when(asks("play"))


def test_a_token_is_revoked_and_only_once() -> None:
    revoke = RevokeToken(token="t1", under="t1")
    (event,) = registered().when(revoke)
    assert event == TokenRevoked(token="t1", by=ADA.id, at=NOW)
    assert registered(event).state().tokens["t1"].revoked_at == NOW
    registered(event).rejects(
        RevokeToken(token="t1", under="", admin=True), AccountCode.TOKEN_REVOKED
    )


def test_a_token_revokes_none_that_is_worth_more() -> None:
    history = registered(issued("o", "organise"))
    history.rejects(RevokeToken(token="o", under="t1"), AccountCode.SCOPE_NOT_GRANTED)
    assert history.when(RevokeToken(token="o", under="", admin=True), OPERATOR)
    history.rejects(RevokeToken(token="t8", under="t1"), AccountCode.UNKNOWN_TOKEN)


def test_a_deleted_account_has_no_live_token() -> None:
    assert registered().when(DeleteAccount(under="t1")) == [DELETED]
    earlier = TokenRevoked(token="t2", by=ADA.id, at=NOW - 5)
    state = registered(issued("t2", "play"), earlier, DELETED).state()
    assert (state.deleted_at, DECIDER.status(state)) == (NOW, "deleted")
    assert [token.revoked_at for token in state.tokens.values()] == [NOW, NOW - 5]


def test_who_deletes_an_account() -> None:
    registered().rejects(DeleteAccount(under="t1"), AccountCode.NOT_YOUR_ACCOUNT, BOB)
    registered(issued("b", "bot")).rejects(DeleteAccount(under="b"), AccountCode.SCOPE_NOT_GRANTED)
    registered().rejects(DeleteAccount(under="t7"), AccountCode.UNKNOWN_TOKEN)
    assert registered().when(DeleteAccount(under="", admin=True), OPERATOR)
    Given().rejects(DeleteAccount(under="", admin=True), AccountCode.UNKNOWN_ACCOUNT, OPERATOR)


def test_nothing_is_done_with_a_deleted_account() -> None:
    gone = registered(DELETED)
    gone.rejects(DeleteAccount(under="t1"), AccountCode.TOKEN_REVOKED)
    gone.rejects(asks("play"), AccountCode.TOKEN_REVOKED)
    for command in (
        DeleteAccount(under="", admin=True),
        asks("play", under="", admin=True),
        RevokeToken(token="t1", under="", admin=True),
    ):
        gone.rejects(command, AccountCode.ACCOUNT_DELETED, OPERATOR)
    again = RegisterPlayer(name_seal=SEAL, token="t9", token_hash="cc")
    gone.rejects(again, AccountCode.ACCOUNT_EXISTS)


def test_an_account_that_does_not_exist_has_no_tokens() -> None:
    Given().rejects(asks("play"), AccountCode.UNKNOWN_ACCOUNT)
    Given().rejects(
        RevokeToken(token="t1", under="", admin=True), AccountCode.UNKNOWN_ACCOUNT, OPERATOR
    )


def test_an_account_waits_for_nothing_and_draws_nothing() -> None:
    state = registered().state()
    assert DECIDER.decisions(state, 1) == []
    assert DECIDER.seed(state) == b""
    assert DECIDER.wake_at(state) is None
    assert (DECIDER.status(state), DECIDER.status(Account())) == ("registered", "none")


def test_hashes_are_nobodys_business() -> None:
    event = issued("t2", "play")
    assert "bb" not in repr(redact(event, PUBLIC))
    assert redact(event, FULL) == event
    for kind in (*ACCOUNT_EVENTS, *ACCOUNT_COMMANDS):
        require_unset_defaults(kind)
    assert SCOPES == ("play", "bot", "organise", "audit", "admin")
