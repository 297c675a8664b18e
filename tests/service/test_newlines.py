"""No value is taken with a line break at its end, wherever the document lists one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import msgspec
import pytest

from runtime.leaderboard_reading import BoardPlace
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT: Json = msgspec.json.decode((ROOT / "openapi/openapi.json").read_bytes())
BASE = "https://games.example"
NEWLINES = ("%0a", "%0d%0a", "%0A%0A")


def parameter(said: Json) -> Json:
    """A parameter, looked up if it is named only."""
    name = said.get("$ref", "").rpartition("/")[2]
    found: Json = DOCUMENT["components"]["parameters"][name] if name else said
    return found


def parameters(*connection_limits: str) -> list[tuple[str, str, str, str]]:
    """Method, path, place and name of every parameter in these places."""
    return [
        (method, path, found["in"], found["name"])
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        for found in map(parameter, operation.get("parameters", ()))
        if found["in"] in connection_limits
    ]


class World(NamedTuple):
    """A player, and a good value for every parameter by its name; ``?name`` for a query alone."""

    ada: Player
    good: dict[str, str]


async def world(on: Stage) -> World:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    for _ in range(2):
        await on.table(ada)
    await on.list_up()
    cursor = ok(await ada.get("/v1/games", limit=1))["next"]
    spare = ok(await ada.post("/v1/tokens", {"scopes": ["play"]}), 201)
    decision = ok(await ada.get(f"/v1/games/{game}/decisions"))["decisions"][0]["id"]
    return World(
        await on.with_scopes(ada, "play", "organise", "admin", "audit"),
        {
            "game": game,
            "?game": "room25",
            "side": "guard",
            "season": "all",
            "tables": game,
            "tour": "x" * 22,
            "player": ada.id,
            "token": spare["id"],
            "seat": "1",
            "decision": decision,
            "option": "r1c2",
            "rulebook": "first_edition",
            "mode": "cooperation",
            "result": "won",
            "outcome": "guards",
            "opened_from": "1",
            "opened_before": "2",
            "tournament": "spring-cup",
            "address": "203.0.113.7",
            "problem": "not-found",
            "status": "live",
            "invited": "me",
            "limit": "1",
            "cursor": cursor,
            "as": "public",
            "at": "1",
            "wait": "0",
            "after": "0",
            "follow": "true",
            "asked": "true",
            "lang": "fr",
            "format": "json",
            "url": f"{BASE}/watch/{game}",
            "maxwidth": "500",
            "maxheight": "500",
        },
    )


def url(path: str, good: dict[str, str], tail: str, where: str, name: str) -> str:
    """The address of an operation with one parameter given, and ``tail`` behind its value."""
    for each, value in good.items():
        end = tail if (where, name) == ("path", each) else ""
        path = path.replace(f"{{{each}}}", quote(value, safe="") + end)
    if path.startswith("/v1/oembed") and name != "url":
        path += f"?url={quote(good['url'], safe='')}"
    if path.startswith(LEADERBOARD):
        if name != "game":
            path += f"?game={quote(good['?game'], safe='')}"
        good = {**good, "cursor": BoardPlace().cursor}
    if name == "result":  # it is somebody's
        path += f"?player={quote(good['player'], safe='')}"
    if where == "query":
        value = good.get(f"?{name}", good[name])
        path += ("&" if "?" in path else "?") + f"{name}={quote(value, safe='')}{tail}"
    return path


LEADERBOARD = "/v1/leaderboards/"

NOT_YET = {
    "/v1/games/{game}/replay.html",
    "/v1/games/{game}/record",
    "/v1/games/{game}/tours/{tour}",
}
"""What there is of finished games alone, and tours, which no player of a running game leads."""

BRANCHES = "/v1/games/{game}/decisions/{decision}/options/{option}"
"""The decision has none; one that is not open, or not there, is a conflict."""

UNAVAILABLE = "/v1/games/{game}/decisions/{decision}/unavailable"
"""So it is here."""

UNAVAILABLE_BELOW = f"{BRANCHES}/unavailable"
"""And here."""

ENDLESS = {"/v1/stream"}


async def test_no_parameter_takes_a_newline_at_its_end(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        ada, good = await world(on)
        met = parameters("path", "query")
        assert len(met) > 40
        for method, path, where, name in met:
            if method == "get" and path not in NOT_YET | ENDLESS | {BRANCHES, UNAVAILABLE_BELOW}:
                whole = await ada.get(url(path, good, "", where, name))
                assert whole.status_code == 200, (path, name, whole.text)
            for tail in NEWLINES:
                there = url(path, good, tail, where, name)
                answer = await on.http.request(
                    method,
                    there,
                    headers=ada.headers({"idempotency-key": fresh()}),
                    json={} if method == "post" else None,
                )
                told = (method, there, answer.status_code, answer.text)
                refused = {400, 404, 409, 422}
                if "/tours/" in path and method != "get":
                    refused.add(403)  # who plays is told that before anything is looked for
                assert answer.status_code in refused, told
                if where == "query":
                    problem(answer, "invalid-parameter")
                elif method == "get":
                    conflict = name == "decision" and path in {
                        BRANCHES,
                        UNAVAILABLE,
                        UNAVAILABLE_BELOW,
                    }
                    assert answer.status_code == (409 if conflict else 404), told
        state = ok(await ada.get(f"/v1/games/{good['game']}"))
        assert state["version"] == ok(await on.stranger.get(f"/v1/games/{good['game']}"))["version"]
        tokens = ok(await ada.get("/v1/tokens"))["tokens"]
        assert not [each for each in tokens if each["revoked_at"] is not None]


async def test_no_header_takes_a_newline_at_its_end(on: Stage) -> None:
    ada, good = await world(on)
    there = f"/v1/games/{good['game']}"
    seen = {name for _, _, _, name in parameters("header")}
    assert seen == {
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
        "Last-Event-ID",
        "Accept-Language",
    }
    key = {"idempotency-key": "a-key\n"}
    for path in ("/v1/players", f"{there}/pause", f"{there}/decisions/{good['decision']}"):
        answer = await ada.post(path, {"name": "Eve"}, headers=key)
        assert answer.status_code == 400 or "/problems/invalid-body" in answer.text
    problem(await ada.post(f"{there}/pause", {}, headers=key), "idempotency-key-invalid")
    problem(await ada.delete(f"{there}/seats/1", key), "idempotency-key-invalid")
    for tag in ('"1"', '"1-public"', "*"):
        answer = await ada.post(f"{there}/pause", {}, headers={"if-match": f"{tag}\n"})
        problem(answer, "invalid-parameter")
    stream = {"accept": "text/event-stream", "last-event-id": "1\n"}
    problem(await ada.get(f"{there}/events", stream), "invalid-parameter")
    # The other two fit or they do not; neither is ever refused.
    whole = await ada.get(there, as_="public")
    etag = whole.headers["etag"]
    assert (await ada.get(there, {"if-none-match": f"{etag}x\n"}, as_="public")).content
    odd = await on.stranger.get("/v1/rulebooks", {"accept-language": "fr\n"})
    assert odd.headers["content-language"] == "en"


# --- bodies ---


class Field(NamedTuple):
    """A text somewhere in a body: the way there, and what its schema says."""

    body: str
    way: tuple[str, ...]
    schema: Json


KEY = "(key)"
"""Stands in a way for the name of a member."""


def resolved(schema: Json) -> Json:
    """A schema, looked up if it is named only."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return resolved(DOCUMENT["components"]["schemas"][name]) if name else schema


def texts(schema: Json, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Every text that a schema has, with the way to it."""
    found = resolved(schema)
    choices = found.get("anyOf", ())
    # Of the situations that of the default game, which comes first: each game tests its own.
    for each in choices[:1] if way == ("scenario",) else choices:
        yield from texts(each, way)
    if found.get("type") == "string" or "enum" in found:
        yield way, found
    if "items" in found and found["items"] is not False:
        yield from texts(found["items"], (*way, "0"))
    for name, each in found.get("properties", {}).items():
        yield from texts(each, (*way, name))
    more = found.get("additionalProperties")
    if isinstance(more, dict):
        yield from texts(more, (*way, "(value)"))
        yield from texts(found.get("propertyNames", {"type": "string"}), (*way, KEY))


def fields() -> list[Field]:
    """Every text of every body that is taken."""
    bodies = {
        media["schema"]["$ref"].rpartition("/")[2]
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        for media in operation.get("requestBody", {}).get("content", {}).values()
    }
    return [
        Field(body, way, schema)
        for body in sorted(bodies)
        for way, schema in texts({"$ref": f"#/components/schemas/{body}"})
    ]


PATTERNS = {
    "^p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}$": "p00-" + "0" * 26,
    "^r[0-4]c[0-4]$": "r1c2",
    "^(full|seat:[1-9][0-9]?)$": "full",
    "^(public|full|seat:[1-9][0-9]?)$": "public",
    "^[0-9a-f]{64}$": "0" * 64,
    "^[A-Za-z0-9_-]+$": "AAAA",
}

SITUATION = {"characters": {"alice": {"seat": 1, "cell": "r2c2"}}}


def good_text(schema: Json) -> str:
    """A text that fits the schema of a field."""
    if "enum" in schema:
        return str(next(each for each in schema["enum"] if isinstance(each, str)))
    return PATTERNS[schema["pattern"]] if "pattern" in schema else "alice"


def put(example: Json, field: Field, text: str) -> Any:
    """A good body with this text in the place of a field; what is round it is as good as it can."""

    def fill(way: tuple[str, ...], there: Any) -> Any:
        if not way:
            return text
        name, rest = way[0], way[1:]
        if name == "0":
            return [fill(rest, None)]
        kept = dict(there) if isinstance(there, dict) else {}
        if name == KEY:
            kept[text] = {"seat": 1} if field.way[-2] == "characters" else "empty"
            return kept
        name = {"(value)": "alice" if "characters" in field.way else "r1c1"}.get(name, name)
        kept[name] = fill(rest, kept.get(name))
        return kept

    base = dict(example)
    if field.way[0] == "scenario":
        base["scenario"] = SITUATION
    return fill(field.way, base)


async def send(who: Player, method: str, path: str, body: Json) -> httpx.Response:
    """A request with a body."""
    headers = who.headers({"idempotency-key": fresh()})
    return await who.http.request(method, path, json=body, headers=headers)


async def test_no_field_of_a_body_takes_a_newline_at_its_end(on: Stage) -> None:
    ada, good = await world(on)
    paths = {
        media["schema"]["$ref"].rpartition("/")[2]: (method, path, media["example"])
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        for media in operation.get("requestBody", {}).get("content", {}).values()
    }
    found = fields()
    assert len(found) > 40
    exact = 0
    for field in found:
        method, path, example = paths[field.body]
        for name, value in good.items():
            path = path.replace(f"{{{name}}}", value)
        text = good_text(field.schema)
        spoilt = await send(ada, method, path, put(example, field, f"{text}\n"))
        # A secret with more at its end is another one, which opens nothing.
        refusals = {403} if field.body == "SignInSecret" else {400, 404, 409, 422}
        assert spoilt.status_code in refusals, (field, spoilt.text)
        if "pattern" in field.schema or "enum" in field.schema:
            exact += 1
            sound = await send(ada, method, path, put(example, field, text))
            refused = spoilt.json()
            assert refused != sound.json(), field
            assert "scenario" in field.way or refused["type"] == "/problems/invalid-body", refused
    assert exact > 10


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": "Ada"}, "/v1/players"),
        ({"scopes": ["bot"], "label": "kitchen"}, "/v1/tokens"),
        ({"name": "Ada"}, "/v1/games/{game}/seats"),
        ({"name": "Ada", "entropy": "x"}, "/v1/games/{game}/seats"),
        ({"reason": "break"}, "/v1/games/{game}/pause"),
        ({"seconds": 60, "reason": "technical"}, "/v1/games/{game}/extend"),
        ({"reason": "mistake"}, "/v1/games/{game}/annul"),
    ],
)
async def test_free_texts_take_none_either(on: Stage, body: Json, path: str) -> None:
    ada = await on.player()
    mighty = await on.with_scopes(ada, "play", "organise", "admin")
    live = await on.game(mighty, await on.player("Bob"))
    game = await on.table(mighty) if path.endswith("seats") else live
    there, name = path.format(game=game), list(body)[-1]
    spoilt = await mighty.post(there, body | {name: f"{body[name]}\n"})
    assert spoilt.status_code == 422, spoilt.text
    assert (await mighty.post(there, body)).status_code in {200, 201}


@pytest.mark.parametrize("seat", ["1%0a", "%201", "+1", "1_", "%D9%A1", "0x1", "1.0"])
async def test_a_seat_is_named_by_its_digits_alone(on: Stage, seat: str) -> None:
    ada = await on.player()
    game = await on.table(ada)
    await on.sit(game, ada)
    problem(await ada.delete(f"/v1/games/{game}/seats/{seat}"), "not-found")
    assert (await ada.delete(f"/v1/games/{game}/seats/1")).status_code == 200
