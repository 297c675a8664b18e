"""Invitations by link: made by a host, used by whoever has the secret.

A link is a fact of its host's account. Using it is one too, so the atomic append counts the uses;
after that the player is invited at the table, as if the host had named them. Both commands are
named by link and player, so whoever asks again brings to an end what a dead process had begun.

The secret is in bodies alone, and in the store as a hash.
"""

from __future__ import annotations

import re
from typing import Final

from club import invitation_links as rules
from club.account_events import (
    InvitationLinkMade,
    MakeInvitationLink,
    UseInvitationLink,
    WithdrawInvitationLink,
)
from club.account_state import AccountCode, InvitationLink
from events.kernel import Actor, Rejected
from events.layout import BadStreamIdError
from events.transact import NoSuchStream
from games.game_registry import UnknownGame
from games.table.checks import TableCode
from games.table.events import InvitePlayers
from games.table.state import TableState
from runtime.table_service import TableService
from service.access.accounts import AccountService, event_of
from service.access.request_name import RequestName
from service.contract.invitation_bodies import (
    InvitationLinkInfo,
    InvitationLinkShown,
    InvitationShown,
    NewInvitationLink,
)
from service.http.principals import Principal, token_hash
from service.http.problems import Refused

_MINUTE_MS: Final = 60_000
_SECRET: Final = re.compile(r"plr-table\.(g[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26})\.[A-Za-z0-9_-]{43}")


class InvitationLinks:
    """All operations of the service on links to tables.

    Args:
        account_service: has the links.
        tables: has the tables, and invites.
        limit: how many invitations a table may send in all.
    """

    def __init__(self, account_service: AccountService, tables: TableService, limit: int) -> None:
        self._account_service = account_service
        self._tables = tables
        self._limit = limit

    async def make(
        self, caller: Principal, game: str, wanted: NewInvitationLink, named: RequestName
    ) -> InvitationLinkShown:
        """Make a link to a table of the caller's.

        Raises:
            Rejected: a code of ``club``.
            Refused: player-not-found.
            KeyReused: the key was used with another request.
        """
        text = self._tables.keys.derived_token(
            f"plr-table@{caller.player}", named.command_id, game, named.digest
        )
        secret = f"plr-table.{game}.{text}"
        hashed = token_hash(secret)
        command = MakeInvitationLink(
            link=f"i{hashed[:16]}",
            game=game,
            under=caller.token,
            lasts_ms=wanted.minutes * _MINUTE_MS,
            uses=wanted.uses,
            secret_hash=hashed,
        )
        receipt = await self._account_service.execute(
            caller.player, command, caller.as_player, named
        )
        made = event_of(receipt, InvitationLinkMade)
        return InvitationLinkShown(
            id=made.link, secret=secret, expires_at=made.expires_at, uses=made.uses
        )

    async def of(self, caller: Principal, game: str) -> tuple[InvitationLinkInfo, ...]:
        """The links to a table of the caller's by which somebody can still come.

        Raises:
            Refused: player-not-found.
        """
        account, now = await self._account_service.account(caller.player), self._tables.clock()
        return tuple(
            InvitationLinkInfo(
                id=name, expires_at=link.expires_at, uses=link.uses, used=len(link.users)
            )
            for name, link in account.invitation_links.items()
            if link.game == game and link.is_live(now)
        )

    async def withdraw(self, caller: Principal, link: str) -> None:
        """Make a link of the caller's worthless. Idempotent.

        Raises:
            Rejected: a code of ``club``.
            Refused: player-not-found.
        """
        named = self._account_service.name_keyless(caller.player, f"DELETE invitation link {link}")
        command = WithdrawInvitationLink(link=link, under=caller.token)
        await self._account_service.execute(caller.player, command, caller.as_player, named)

    async def look(self, secret: str, caller: Principal | None) -> InvitationShown:
        """The table that a secret invites to. Who may see it already is shown it in any case.

        Raises:
            Rejected: as ``take``.
        """
        game, state, _, link = await self._invited_by(secret)
        joined = caller is not None and caller.player in state.people
        if not joined:
            rules.require_usable(link, self._tables.clock())
            self._require_place(state)
        host = await self._account_service.account(state.host)
        return InvitationShown(
            id=game,
            game=state.game,
            rulebook=state.rulebook,
            mode=state.mode,
            seats=state.seat_count,
            host=await self._account_service.name(state.host, host),
            names=await self._tables.names.seats(state.seats),
            bots={seat: place.bot for seat, place in state.seats.items() if place.bot is not None},
            joined=joined,
        )

    async def take(self, secret: str, caller: Principal) -> str:
        """Invite the caller to the table, whose id it gives. Idempotent.

        Raises:
            Rejected: unknown-invitation-link, invitation-link-withdrawn, invitation-link-expired,
                invitation-link-used-up; table-not-open, no-free-seat, too-many-invitations.
            StoreFull: there is no room for invitations.
        """
        game, state, name, link = await self._invited_by(secret)
        player = caller.player
        if player in state.people:
            return game
        if player not in link.users:
            rules.require_usable(link, self._tables.clock())
        self._require_place(state)
        asked = f"invitation-link@{name}"
        named = self._account_service.name_request(asked, player, game.encode())
        use = UseInvitationLink(secret_hash=token_hash(secret))
        await self._account_service.execute(state.host, use, Actor("player", player), named)
        await self._tables.command(
            game,
            InvitePlayers(players=(player,), limit=self._limit),
            actor=Actor("player", state.host),
            command_id=named.command_id,
            digest=named.digest,
        )
        if player not in (await self._tables.newest(game)).state.people:
            raise rules.unknown_link()  # invited before, and then withdrawn or declined
        return game

    async def _invited_by(self, secret: str) -> tuple[str, TableState, str, InvitationLink]:
        """A game, the state of its table, and the link of this secret with its id.

        Raises:
            Rejected: unknown-invitation-link.
        """
        found = _SECRET.fullmatch(secret)
        if found is None:
            raise rules.unknown_link()
        try:
            state = (await self._tables.load(found[1])).state
            account = await self._account_service.account(state.host)
        except (NoSuchStream, BadStreamIdError, UnknownGame, Refused):
            raise rules.unknown_link() from None
        name, link = rules.link_by(account, token_hash(secret))
        return found[1], state, name, link

    def _require_place(self, state: TableState) -> None:
        """Require that somebody may still come, before a use is counted.

        Raises:
            Rejected: table-not-open, no-free-seat, invitation-link-used-up.
        """
        if state.phase != "open":
            raise Rejected(TableCode.TABLE_NOT_OPEN, "its game has begun or ended")
        if len(state.seats) >= state.seat_count:
            raise Rejected(TableCode.NO_FREE_SEAT, "all seats of this table are taken")
        if state.invitations_made >= self._limit:
            # Whoever comes can do nothing about the table's limit: to them the link is used up.
            raise Rejected(
                AccountCode.INVITATION_LINK_USED_UP,
                f"a table invites at most {self._limit} players",
            )
