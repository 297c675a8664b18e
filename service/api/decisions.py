"""``/v1/games/{game}/decisions``: open decisions, what they offer and what not, and choosing."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, Literal

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from events.kernel import Decision, Option
from games.contract import Unavailable
from games.table.options import unavailable
from games.table.state import TableState
from games.trees import parts_of
from service.access.view_scope import look_at
from service.api.command_execution import name_command, receipt_of
from service.api.long_polls import WAIT_MAX_S, wait_beyond
from service.api.seated import own_seat
from service.app_context import AppContext, app_context_of
from service.contract.bodies import Choice, Decisions, Options, Receipt, encode
from service.contract.operations import NOT_RUNNING, PLAYING, operation
from service.contract.unavailable_bodies import (
    UnavailableBelow,
    UnavailableOption,
    UnavailableOptions,
)
from service.http.languages import Lang, negotiate
from service.http.principals import Principal
from service.http.problems import Refused
from service.http.replies import (
    SECRET,
    Reply,
    known_version,
    matches,
    not_modified,
    seen,
    tag,
    wanted_version,
)
from service.http.requests import StrictRequest

_OF_ONE: Final = ("game-not-found", "not-seated", *NOT_RUNNING, "decision-not-open")
"""Why nothing is told of one decision (`_own_decision`)."""
_OF_A_BRANCH: Final = ("option-not-found", "option-is-a-leaf")
"""Why nothing is told of a branch of it (`_options_below`)."""


def _status_of(state: TableState) -> Literal["open", "live", "paused", "held", "finished"]:
    """The status of the game, which tells whether a decision may still come."""
    if state.phase == "none":
        raise AssertionError("a visible table has been opened")
    if state.is_held:
        return "held"
    return "paused" if state.paused_at is not None else state.phase


async def _own_decision(
    app_context: AppContext, caller: Principal, game: str, decision: str
) -> tuple[TableState, Decision, int]:
    """The state of a game, an open decision of the caller's in it, and the version of both.

    Raises:
        Refused: game-not-found, not-seated.
        Rejected: game-over, game-not-live, game-held, table-paused, decision-not-open.
    """
    access = await look_at(app_context, caller, game, None)
    if not access.seats:
        raise Refused("not-seated", "you do not have a seat at this table")
    loaded = await app_context.tables.load(game, access.version)
    table, state = app_context.tables.table, loaded.state
    asked = (n for n in access.seats if table.find(state, n, decision) is not None)
    seat = next(asked, access.seats[0])
    return state, table.open_decision(state, seat, decision), loaded.version


def _options_below(
    app_context: AppContext, state: TableState, decision: Decision, option: str
) -> tuple[Option, ...]:
    """The options below a branch of an open decision.

    Raises:
        Refused: option-not-found.
        Rejected: option-is-a-leaf.
    """
    found = app_context.tables.table.branch(state, decision, option)
    if not found:
        raise Refused("option-not-found", "the decision has no option of this id")
    return found


@get(
    "/games/{game:str}/decisions",
    operation_id="ReadDecisions",
    tags=["playing"],
    opt=operation(
        "reads",
        Decisions,
        scopes=PLAYING,
        tagged=True,
        problems=("game-not-found", "too-many-streams"),
    ),
)
async def read_decisions(
    request: StrictRequest,
    game: FromPath[str],
    wait: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=WAIT_MAX_S,
            description="With `If-None-Match`: wait this many seconds for the game to move on.",
        ),
    ] = 0,
) -> Reply:
    """Every decision open to your seats. Empty if it is not your turn, or not your table.

    `status` tells whether there is anything to wait for. An option is a leaf, which can be chosen,
    or a `branch`, which leads to further ones: `…/decisions/{decision}/options/{option}`.
    """
    app_context, caller = app_context_of(request), request.caller
    access = await look_at(app_context, caller, game, None)
    name = f"player:{caller.player}"
    if known_version(request, name) == access.version:
        access = await wait_beyond(app_context, request, access, access.version, wait)
    version = access.version
    found: list[Decision] = []
    if access.seats:
        loaded = await app_context.tables.load(game, version)
        version = loaded.version
        state = loaded.state
        found = [d for n in access.seats for d in app_context.tables.table.decisions(state, n)]
    else:
        state = (await app_context.tables.view(game, access.view_scope.viewer, version)).state
    etag = tag(version, name)
    if matches(request, etag):
        return not_modified(etag)
    body = Decisions(
        game=game,
        version=version,
        durable_version=version,
        now=app_context.tables.clock(),
        status=_status_of(state),
        seats=access.seats,
        decisions=tuple(found),
    )
    return seen(encode(body), etag)


@get(
    "/games/{game:str}/decisions/{decision:str}/options/{option:str}",
    operation_id="ReadOptions",
    tags=["playing"],
    opt=operation(
        "reads",
        Options,
        scopes=PLAYING,
        tagged=True,
        problems=(*_OF_ONE, *_OF_A_BRANCH),
    ),
)
async def read_options(
    request: StrictRequest, game: FromPath[str], decision: FromPath[str], option: FromPath[str]
) -> Reply:
    """The options below a branch of an open decision of yours.

    Only the decision's own seat may walk its options. Each `id` is the whole path, one segment of a
    URL: choose that of a leaf, or read on below another `branch`. The list is that of `version`; a
    choice with this `ETag` as `If-Match` is refused if the game has moved on since.
    """
    app_context, caller = app_context_of(request), request.caller
    state, asked, version = await _own_decision(app_context, caller, game, decision)
    found = _options_below(app_context, state, asked, option)
    etag = tag(version, f"player:{caller.player}")
    if matches(request, etag):
        return not_modified(etag)
    body = Options(game=game, version=version, decision=decision, option=option, options=found)
    return seen(encode(body), etag)


@get(
    "/games/{game:str}/decisions/{decision:str}/unavailable",
    operation_id="ReadUnavailable",
    tags=["playing"],
    opt=operation(
        "reads",
        UnavailableOptions,
        scopes=PLAYING,
        headers=("Content-Language",),
        problems=_OF_ONE,
    ),
)
async def read_unavailable(
    request: StrictRequest, game: FromPath[str], decision: FromPath[str], lang: Lang = None
) -> Reply:
    """What an open decision of yours might be expected to offer, and does not, with the reasons.

    Only the decision's own seat may ask. The list is that of `version`; it is empty for kinds of
    decisions that offer all that there is, or of which the game gives no reasons.
    """
    app_context, caller = app_context_of(request), request.caller
    state, found, version = await _own_decision(app_context, caller, game, decision)
    language = lang or negotiate(request.header(b"accept-language"))
    body = UnavailableOptions(
        game=game,
        version=version,
        decision=decision,
        unavailable=_reasons(app_context, state, found, (), language),
    )
    return _in_words(body, language)


@get(
    "/games/{game:str}/decisions/{decision:str}/options/{option:str}/unavailable",
    operation_id="ReadUnavailableBelow",
    tags=["playing"],
    opt=operation(
        "reads",
        UnavailableBelow,
        scopes=PLAYING,
        headers=("Content-Language",),
        problems=(*_OF_ONE, *_OF_A_BRANCH),
    ),
)
async def read_unavailable_below(
    request: StrictRequest,
    game: FromPath[str],
    decision: FromPath[str],
    option: FromPath[str],
    lang: Lang = None,
) -> Reply:
    """What a branch of an open decision of yours might be expected to lead to, and does not.

    As `…/decisions/{decision}/unavailable`, of the options below a branch: of what has been said up
    to there.
    """
    app_context, caller = app_context_of(request), request.caller
    state, found, version = await _own_decision(app_context, caller, game, decision)
    _options_below(app_context, state, found, option)
    language = lang or negotiate(request.header(b"accept-language"))
    body = UnavailableBelow(
        game=game,
        version=version,
        decision=decision,
        option=option,
        unavailable=_reasons(app_context, state, found, parts_of(option), language),
    )
    return _in_words(body, language)


def _in_words(body: UnavailableOptions, language: str) -> Reply:
    """An answer for the caller alone, in a language."""
    return Reply(encode(body), (*SECRET, (b"content-language", language.encode())))


def _reasons(
    app_context: AppContext,
    state: TableState,
    decision: Decision,
    path: tuple[str, ...],
    language: str,
) -> tuple[UnavailableOption, ...]:
    """What a level of a decision does not offer, in words."""
    package = app_context.tables.game_registry.games[state.game]
    say = partial(package.texts.word, language)

    def sentence(each: Unavailable) -> str:
        cannot = f"cannot.{decision.kind}" + (f".{each.about}" if each.about else "")
        return f"{say(f'{state.game}/{cannot}')} {say(f'{state.game}/unavailable.{each.code}')}"

    return tuple(
        UnavailableOption(meaning=each.meaning, code=each.code, text=sentence(each))
        for each in unavailable(package.rules, state, decision, path)
    )


@post(
    "/games/{game:str}/decisions/{decision:str}",
    operation_id="Choose",
    tags=["playing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=PLAYING,
        keyed=True,
        problems=(
            "game-not-found",
            "not-seated",
            "wrong-kind-of-token",
            *NOT_RUNNING,
            "decision-not-open",
            "option-not-offered",
            "option-is-a-branch",
            "option-is-a-leaf",
            "deadline-passed",
            "choice-not-secret",
            "choice-not-public",
        ),
    ),
)
async def choose(
    request: StrictRequest, game: FromPath[str], decision: FromPath[str], data: JSONBody[Choice]
) -> Reply:
    """Choose an option of an open decision of yours, by its id: a leaf, at whatever level.

    A secret choice is visible only to you, and may be replaced, until everybody has chosen.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    loaded, seat = await own_seat(app_context, caller, game, decision)
    named = name_command(app_context, request, caller, key, data)
    receipt = await app_context.tables.choose(
        game,
        seat,
        decision,
        data.option,
        actor=caller.as_player,
        command_id=named.command_id,
        digest=named.digest,
        after=wanted_version(request),
    )
    return receipt_of(game, receipt, app_context.tables.viewer(loaded.state, seat))


HANDLERS: Final[list[HTTPRouteHandler]] = [
    read_decisions,
    read_options,
    read_unavailable,
    read_unavailable_below,
    choose,
]
