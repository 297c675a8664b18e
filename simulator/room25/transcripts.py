"""The oracle of non-interference over streams: what is sent, byte by byte, tells no secret.

Two twin worlds (``twins``) are put into logs in memory, and the service's own streams run over
both: Server-Sent Events and NDJSON, from the beginning, and from a snapshot somewhere on the way,
and a player's own stream of notices.
Every piece that one world sends must be what the other sends, heartbeats and ends too, in the same
order and cut in the same places; what differs as it should (commitments, salts, the hash of the
game key) is masked. The first difference may be an event that ``publishes``.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

import msgspec
from msgspec import Struct
from prometheus_client import Gauge

from events import seal
from events.codec import Stored, batch_by
from events.kernel import Command, Event, Rejected, TimestampMs, Viewer
from events.keys import KeyRing
from events.log import StreamLog, StreamTail
from events.replication import Replication
from events.tasks import end_tasks
from games.room25 import RULES
from projections.names import Deaf
from runtime.broadcaster import Broadcaster
from runtime.feed_subscriber import FeedSubscriber, Moved
from runtime.listing import Listing, Wanted
from runtime.notifications import Notifications
from runtime.player_bells import PlayerBells, Tell
from runtime.table_service import TableService
from service.access.accounts import AccountService
from service.access.auth import AccountNews, TokenCache
from service.access.permission import Permission
from service.access.streaming import NDJSON_FORM, SSE_FORM, Form
from service.access.view_scope import Access, look_at
from service.api.own_stream import OwnStream
from service.api.streams import stream_of
from service.app_context import AppContext
from service.http.addresses import Addresses
from service.http.connection_limits import ConnectionLimits
from service.http.principals import Principal
from service.http.replies import Answer
from service.http.requests import StrictRequest
from simulator.interference import may_tell
from simulator.room25.interference import Twin, TwinWorlds, told_by, what_it_takes_to_know
from simulator.room25.run import Run
from simulator.room25.twins import Swap
from simulator.run import START, PropertyBroken, RunStep, require

GAME: Final = "g00-00000000000000000000000000"
_KEYS: Final = {"k": b"k" * 32}
_NEVER_S: Final = 1e9
_TURNS: Final = 10_000
"""How often the loop may go round before a stream counts as silent."""

_REST: Final = 16
"""How often it goes round before the next step: from the broadcaster to the client."""

_SEALS: Final = re.compile(rb'"seals":\{[^{}]*\}')
_SEAL: Final = re.compile(rb':"[A-Za-z0-9_-]{43}"')
_SALT: Final = re.compile(rb'"salt":"[A-Za-z0-9_-]*"')
_KEY_HASH: Final = re.compile(rb'"key_hash":"[A-Za-z0-9_-]*"')


def masked(piece: bytes) -> bytes:
    """A piece of a stream without commitments, salts and the hash of the key."""
    piece = _SEALS.sub(lambda found: _SEAL.sub(b':""', found[0]), piece)
    return _KEY_HASH.sub(b'"key_hash":""', _SALT.sub(b'"salt":""', piece))


# --- one world ---


class _Log:
    """A log of one stream in memory: as much of a ``StreamLog`` as reading takes."""

    replication: Replication | None = None

    def __init__(self) -> None:
        self.stored: list[Stored] = []
        self.head = seal.genesis(GAME)
        self.names = SimpleNamespace()  # nobody sits down under a name, so nobody asks for one

    async def tail(self, stream: str, after: int, limit: int = _TURNS) -> StreamTail:
        """As ``StreamLog.tail``."""
        require(stream == GAME, f"there is no {stream} here")
        return StreamTail(len(self.stored), self.head, "", self.stored[after : after + limit])


class _Hub:
    """Wakes who waits at every step: as much of what reports moves as following takes."""

    def __init__(self, log: _Log) -> None:
        self._log = log
        self._watches: list[Moved] = []
        self._tell: Tell = lambda *_: None
        self._players: set[str] = set()

    def wake(self) -> None:
        """Something has happened, or time has passed."""
        for moved in tuple(self._watches):
            moved(len(self._log.stored))
        for player in self._players:
            self._tell(player, GAME)

    def on_ring(self, tell: Tell) -> None:
        """As ``PlayerBells.on_ring``."""
        self._tell = tell

    async def add(self, player: str) -> None:
        """As ``PlayerBells.add``."""
        self._players.add(player)

    def drop(self, player: str) -> None:
        """As ``PlayerBells.drop``."""
        self._players.discard(player)

    async def close(self) -> None:
        """As ``PlayerBells.close``."""
        self._players.clear()

    @contextmanager
    def watched(self, stream: str, moved: Moved) -> Iterator[None]:
        """As ``FeedSubscriber.watched``."""
        del stream
        self._watches.append(moved)
        moved(len(self._log.stored))
        try:
            yield
        finally:
            self._watches.remove(moved)


class _Snapshot(Struct):
    version: int


class _Line(Struct):
    """As much of an NDJSON line as says how far a stream has come."""

    v: int = 0
    snapshot: _Snapshot | None = None


class Channel:
    """One open stream of a world: the ``pieces`` that it has sent.

    ``reached`` is the version that its client has, -1 before a snapshot; ``beats`` counts
    heartbeats; ``own``: it is no game's, but a player's own.
    """

    def __init__(self, form: Form, after: int | None, *, own: bool = False) -> None:
        self.form = form
        self.own = own
        self.pieces: list[bytes] = []
        self.reached = -1 if after is None else after
        self.beats = 0
        self.task: asyncio.Task[None] | None = None
        self._known_over = False

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.task is not None and self.task.done()

    def has_sent(self, sight: Access | None) -> bool:
        """Whether it has sent all that may be seen; where nothing more may, to its own end."""
        if self.own:
            return True  # it says when there is something, and not how far it is
        if self.over or sight is None or sight.ended:
            return self.over
        return self.reached >= sight.version

    def closes(self) -> bool:
        """Whether it has ended since this was last asked."""
        known, self._known_over = self._known_over, self.over
        return self.over and not known

    def has_beaten(self, times: int) -> bool:
        """Whether it has sent so many heartbeats, or has nothing more to send."""
        return self.own or self.over or self.beats >= times

    async def send(self, message: Any) -> None:  # noqa: ANN401 (an ASGI message)
        """As ASGI has it."""
        if message["type"] != "http.response.body" or not message["body"]:
            return
        piece: bytes = message["body"]
        self.pieces.append(piece)
        self.beats += piece == self.form.beat
        for each in messages(self.form, piece):
            event, snapshot = versions(self.form, each)
            self.reached = max(self.reached, event, snapshot)


def messages(form: Form, piece: bytes) -> list[bytes]:
    """What a piece of a stream says, message by message."""
    return piece.split(b"\n\n" if form is SSE_FORM else b"\n")[:-1]


def versions(form: Form, message: bytes) -> tuple[int, int]:
    """The version of the event in a message, and that of the snapshot; -1: it holds none."""
    if form is SSE_FORM:
        found = re.search(rb"^id: (\d+)$", message, re.MULTILINE)
        version = -1 if found is None else int(found[1])
        return (-1, version) if message.startswith(b"event: snapshot\n") else (version, -1)
    line = msgspec.json.decode(message or b"{}", type=_Line)
    return line.v or -1, -1 if line.snapshot is None else line.snapshot.version


class StreamWorld:
    """One of two worlds: its events, and the streams that a viewer has open in it."""

    def __init__(self, viewer: Viewer) -> None:
        self.events: list[Event] = []
        self.channels: list[Channel] = []
        self._viewer = viewer
        self._name = "public" if viewer.seat is None else f"seat:{viewer.seat}"
        self._caller: Principal | None = None
        self._now: TimestampMs = START
        self._log = _Log()
        self._feed_subscriber = _Hub(self._log)
        log, feed_subscriber = (
            cast("StreamLog", self._log),
            cast("FeedSubscriber", self._feed_subscriber),
        )
        self._tables = TableService(log, KeyRing(_KEYS, "k"), clock=lambda: self._now)
        self._broadcaster = Broadcaster(self._tables, feed_subscriber, beat_s=_NEVER_S)
        listing = cast("Listing", SimpleNamespace(page=self._page))
        bells = cast("PlayerBells", self._feed_subscriber)
        self._notifications = Notifications(self._tables, bells, listing, beat_s=_NEVER_S)
        account_service = cast(
            "AccountService", SimpleNamespace(bearer=self._find, has_place=lambda _: False)
        )
        self._token_cache = TokenCache(account_service, cast("AccountNews", Deaf()))
        gauge = Gauge("streams", "Open streams", registry=None)
        parts = SimpleNamespace(
            tables=self._tables,
            feed_subscriber=feed_subscriber,
            broadcaster=self._broadcaster,
            settings=SimpleNamespace(stream_limit_s=_NEVER_S),
            connection_limits=ConnectionLimits(Addresses(), _TURNS, _TURNS, gauge),
            connections=SimpleNamespace(stay=lambda *_: nullcontext()),  # no stream tells of them
            token_cache=self._token_cache,
        )
        self._app_context = cast("AppContext", parts)

    async def happen(
        self, number: int, step: RunStep, command: Command, events: Sequence[Event]
    ) -> None:
        """Append a batch, let all streams send what they will, and let their hearts beat."""
        self._now = step.now
        first = len(self._log.stored) + 1
        sealed = self._tables.codecs.of(RULES.id).encode_batch(
            GAME,
            events,
            batch_by(step.actor, command, f"command-{number}", "transcript/1"),
            at=step.now,
            first_version=first,
            previous_head=self._log.head,
        )
        self._log.stored += [Stored(n, *entry) for n, entry in enumerate(sealed.entries, first)]
        self._log.head = sealed.head
        self.events += events
        await self._settle()
        wanted = [(each, each.beats + 1) for each in self.channels if not each.over]
        self._broadcaster.beat()
        for channel, beats in wanted:
            await _until(partial(channel.has_beaten, beats))

    async def open(self, form: Form, after: int | None) -> bool:
        """Open a stream after a version or with a snapshot; False: the viewer is not there yet."""
        here, self._caller = await self._who()
        if not here:
            return False
        scope = self._scope()
        request = cast("StrictRequest", SimpleNamespace(user=self._caller, scope=scope))
        sight = await look_at(self._app_context, self._caller, GAME, self._name)
        answer = await stream_of(request, self._app_context, sight, form, after, tells_asked=True)
        await self._take(Channel(form, after), answer)
        return True

    async def open_own(self, form: Form) -> bool:
        """Open the stream of whoever sits there; False: nobody does who has no other seat."""
        state = (await self._tables.load(GAME)).state
        place = state.seats.get(self._viewer.seat or 0)
        if place is None or len(state.seats_of(place.player)) > 1 or place.bot is not None:
            return False
        listener, games = await self._notifications.join(place.player)
        answer = OwnStream(
            self._notifications,
            listener,
            games,
            form,
            permission=Permission(self._token_cache, None, None),
            limit_s=_NEVER_S,
            connection_limits=self._app_context.connection_limits,
            attended=nullcontext,
        )
        await self._take(Channel(form, None, own=True), answer)
        return True

    async def close(self) -> None:
        """End what is open."""
        await self._broadcaster.close()
        await self._notifications.close()
        await end_tasks(*(each.task for each in self.channels if each.task is not None))

    async def _take(self, channel: Channel, answer: Answer) -> None:
        """Have a stream sent into a channel."""
        channel.task = asyncio.create_task(answer(self._scope(), _silence, channel.send))
        self.channels.append(channel)
        await self._settle()

    def _scope(self) -> Any:  # noqa: ANN401 (an ASGI scope)
        """A request of the viewer's, let in."""
        return {
            "type": "http",
            "method": "GET",
            "user": self._caller,
            "client": ("192.0.2.1", 1),
            "headers": [] if self._caller is None else [(b"authorization", b"Bearer of it")],
        }

    async def _page(self, wanted: Wanted) -> Any:  # noqa: ANN401 (as much of a page as is read)
        """The player's games, as the lists have them."""
        rows = [SimpleNamespace(id=GAME)] if wanted.status == "open" else []
        return SimpleNamespace(rows=rows, cursor=None)

    async def _settle(self) -> None:
        """Wait until every stream has sent what its viewer may see by now."""
        self._feed_subscriber.wake()
        if not self.channels:
            return
        # A seat that has changed hands is no longer its first player's to look through.
        same = await self._who() == (True, self._caller)
        sight = await look_at(self._app_context, self._caller, GAME, self._name) if same else None
        for channel in self.channels:
            await _until(partial(channel.has_sent, sight))
        for _ in range(_REST):  # for whatever should not be sent, but is
            await asyncio.sleep(0)

    async def _who(self) -> tuple[bool, Principal | None]:
        """Whether there is somebody who looks through these eyes by now, and who."""
        state = (await self._tables.load(GAME)).state
        if self._viewer.seat is None:
            private = state.visibility == "private"
            return True, Principal("auditor", "", "", frozenset({"audit"})) if private else None
        place = state.seats.get(self._viewer.seat)
        if place is None:
            return False, None
        return True, Principal(place.player, "", "", frozenset({"play"}))

    async def _find(self, _: str) -> Principal | None:
        return self._caller


async def _silence() -> Any:  # noqa: ANN401 (an ASGI message)
    """What a client sends that only listens."""
    await asyncio.Event().wait()


async def _until(holds: Callable[[], bool]) -> None:
    """Let the loop go round until something holds."""
    for _ in range(_TURNS):
        if holds():
            return
        await asyncio.sleep(0)
    raise PropertyBroken("a stream fell silent")


# --- two worlds ---


class StreamRequest(NamedTuple):
    """A stream to be opened after so many steps: with a snapshot, or from the beginning.

    ``own``: the player's own, which a spectator does not have.
    """

    step: int
    form: Form
    after: int | None
    own: bool = False

    async def granted(self, world: StreamWorld) -> bool:
        """Open it, if its viewer is there."""
        return await (world.open_own(self.form) if self.own else world.open(self.form, self.after))


async def listen(match: Run, swap: Swap, wishes: Sequence[StreamRequest]) -> str:
    """Play a game again with one secret changed, and compare what streams send in both worlds.

    Returns:
        The type of the event that told the viewer, ``""`` if none ever did.

    Raises:
        PropertyBroken: the viewer could tell the worlds apart otherwise.
    """
    twin = Twin(match, swap)
    here, there = StreamWorld(swap.viewer), StreamWorld(swap.viewer)
    waiting = list(wishes)
    compared: dict[int, int] = {}
    try:
        for number, step in enumerate(match.steps):
            if step.refusal is not None:
                continue
            try:
                command, events = twin.follow(number, step)
            except Rejected as refusal:
                return what_it_takes_to_know(swap, step, refusal)
            await here.happen(number, step, step.command, step.events)
            await there.happen(number, step, command, events)
            for wish in [each for each in waiting if each.step <= number]:
                if await wish.granted(here) and await wish.granted(there):
                    waiting.remove(wish)
            if step.after.phase == "open":  # whoever gets up and sits down again looks again
                waiting += [
                    StreamRequest(number + 1, c.form, 0) for c in here.channels if c.closes()
                ]
            told = _compare(swap, step, here, there, compared)
            if told:
                return told
        return ""
    finally:
        await here.close()
        await there.close()


def _compare(
    swap: Swap, step: RunStep, here: StreamWorld, there: StreamWorld, compared: dict[int, int]
) -> str:
    """Where what has been sent since the last time parts; ``compared`` notes how far it was."""
    pairs = list(enumerate(zip(here.channels, there.channels, strict=True)))
    # What a player is told of an event beside it may differ with the event, so that comes first.
    for place, (mine, other) in sorted(pairs, key=lambda each: each[1][0].own):
        start = compared.get(place, 0)
        ours, theirs = mine.pieces[start:], other.pieces[start:]
        for a, b in zip(ours, theirs, strict=False):
            if masked(a) != masked(b):
                return _parting(swap, step, mine.form, (here, a), (there, b))
        same = len(ours) == len(theirs) and mine.over == other.over
        require(same, f"{told_by(swap, step)}: one stream says more than the other")
        compared[place] = len(mine.pieces)
    return ""


def _parting(
    swap: Swap,
    step: RunStep,
    form: Form,
    ours: tuple[StreamWorld, bytes],
    theirs: tuple[StreamWorld, bytes],
) -> str:
    """The event at which two pieces part, if it is one that may tell."""
    (here, a), (there, b) = ours, theirs
    for one, other in zip(messages(form, a), messages(form, b), strict=False):
        if masked(one) != masked(other):
            version, twins = versions(form, one)[0], versions(form, other)[0]
            event = here.events[version - 1] if version > 0 else None
            its_twin = there.events[twins - 1] if twins > 0 else None
            ends = version == twins and may_tell(event, its_twin)
            require(ends, f"{told_by(swap, step)}, in a stream: {one!r:.300}, {other!r:.300}")
            return type(event).__name__
    raise PropertyBroken(f"{told_by(swap, step)}: one stream says more at once than the other")


class StreamInterference(TwinWorlds):
    """Compares what streams send of twin worlds."""

    def __init__(self, rng: Random, rate: float = 1.0, most: int = 2) -> None:
        super().__init__(rng, rate, most)

    def compare(self, match: Run, swap: Swap) -> str:
        """See ``listen``."""
        return asyncio.run(listen(match, swap, self._wishes(match)))

    def _wishes(self, match: Run) -> list[StreamRequest]:
        """Both forms from the beginning, and each with a snapshot somewhere on the way."""
        forms = (SSE_FORM, NDJSON_FORM)
        late = [StreamRequest(self.rng.randrange(len(match.steps)), form, None) for form in forms]
        own = StreamRequest(0, self.rng.choice(forms), None, own=True)
        return [*(StreamRequest(0, form, 0) for form in forms), *late, own]
