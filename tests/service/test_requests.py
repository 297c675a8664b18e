"""Malformed requests: each is a problem of its own kind, and changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.service.stage import Player, Stage, fresh, hung_up, ok, problem

TABLE = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}


async def send(player: Player, content: bytes, **headers: str) -> Any:
    given = {"content-type": "application/json", "idempotency-key": fresh()}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    return await player.http.post("/v1/games", content=content, headers=player.headers(given))


async def test_an_unknown_path_is_a_problem(on: Stage) -> None:
    problem(await on.stranger.get("/v1/nothing"), "not-found")
    problem(await on.stranger.get("/nothing"), "not-found")


async def test_a_wrong_method_is_a_problem_that_names_the_right_ones(on: Stage) -> None:
    answer = await on.http.put("/v1/games")
    problem(answer, "method-not-allowed")
    assert {"GET", "POST"} <= set(answer.headers["allow"].split(", "))


async def test_options_lists_every_method_of_the_path(on: Stage) -> None:
    answer = await on.http.options("/v1/games")
    assert answer.status_code == 204
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"mode": "\\ud800"}',
        b'{"options": {"a": ' + b"[" * 5000,
        msgspec.json.encode(TABLE) + b" {}",
        b"nul",
        b'{"nope": 1, ',
        b'{"seats": "2", "mode": "\\ud800"}',
        b'{"nope": "\xff"}',
        b'{"nope": 1} {}',
        b"[" * 5000 + b"]" * 5000,
        b'{"nope": ' * 5000 + b"1" + b"}" * 5000,
    ],
)
async def test_what_is_no_json_is_malformed(on: Stage, content: bytes) -> None:
    ada = await on.player()
    problem(await send(ada, content), "malformed-body")


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"seats": "2"}, "$.seats"),
        ({"seats": 2.5}, "$.seats"),
        ({"seats": True}, "$.seats"),
        ({"seats": 0}, "$.seats"),
        ({"seats": None}, "$.seats"),
        ({"sseats": 2}, "$"),
        ({"time": {"limits_s": {"decision": "60"}}}, "$.time.limits_s[...]"),
        ({"visibility": "secret"}, "$.visibility"),
        ({"invited": ["p00-nobody"]}, "$.invited[0]"),
        ({"options": []}, "$.options"),
    ],
)
async def test_a_body_of_another_shape_says_where(on: Stage, change: Any, at: str) -> None:
    ada = await on.player()
    body = problem(await ada.post("/v1/games", TABLE | change), "invalid-body")
    assert [flaw["at"] for flaw in body["errors"]] == [at]
    assert {flaw["source"] for flaw in body["errors"]} == {"body"}


async def test_an_unknown_field_is_answered_with_those_that_are_known(on: Stage) -> None:
    ada = await on.player()
    answer = await ada.post("/v1/players", {"naem": "Ada"})
    (flaw,) = problem(answer, "invalid-body")["errors"]
    assert (flaw["at"], flaw["known"]) == ("$", ["name"])
    answer = await ada.post("/v1/games", TABLE | {"time": {"absent": 1}})
    (flaw,) = problem(answer, "invalid-body")["errors"]
    assert (flaw["at"], flaw["known"]) == ("$.time", ["absent_after", "bot_pace_ms", "limits_s"])


@pytest.mark.parametrize("number", [b"1e400", b"9" * 5000])
async def test_so_it_is_beside_a_number_that_is_too_large(on: Stage, number: bytes) -> None:
    ada = await on.player()
    (flaw,) = problem(await send(ada, b'{"nope": ' + number + b"}"), "invalid-body")["errors"]
    assert (flaw["at"], "rulebook" in flaw["known"]) == ("$", True)


async def test_so_is_an_unknown_query_parameter(on: Stage) -> None:
    for path, known in (
        ("/v1/leaderboards/all", ["cursor", "game", "limit", "side"]),
        ("/v1/leaderboards", []),
    ):
        answer = await on.stranger.get(path, limti=3)
        (flaw,) = problem(answer, "invalid-parameter")["errors"]
        assert (flaw["source"], flaw["at"], flaw["known"]) == ("query", "limti", known)


@pytest.mark.parametrize("limit", ["1.0", "1e1", "-0", "-0.0", "+1", "01", "", "one", "\u0663"])
async def test_an_integer_is_written_in_digits(on: Stage, limit: str) -> None:
    for path in ("/v1/games", "/v1/leaderboards/all"):
        answer = await on.stranger.get(path, limit=limit)
        (flaw,) = problem(answer, "invalid-parameter")["errors"]
        said = (flaw["source"], flaw["at"], flaw["message"])
        assert said == ("query", "limit", "Not an integer in decimal digits")
    ada = await on.player()
    game = await on.game(ada, await on.player("Bob"))
    answer = await on.stranger.get(f"/v1/games/{game}/events", after=limit)
    problem(answer, "invalid-parameter")


async def test_what_is_wrong_otherwise_has_no_such_list(on: Stage) -> None:
    ada = await on.player()
    (flaw,) = problem(await ada.post("/v1/games", TABLE | {"seats": "2"}), "invalid-body")["errors"]
    assert flaw.keys() == {"source", "at", "message"}
    answer = await on.http.get("/v1/games?limit=1&limit=1")
    (flaw,) = problem(answer, "invalid-parameter")["errors"]
    assert flaw.keys() == {"source", "at", "message"}


@pytest.mark.parametrize(
    ("members", "at"),
    [
        (b'"seats": 2, "seats": 2', "$.seats"),
        (b'"seats": 2, "\\u0073eats": 3', "$.seats"),
        (b'"\\u0073\\u0065ats": 2, "seats": 2', "$.seats"),
        (
            b'"seats": 2, "time": {"limits_s": {"decision": 60, "decision": 600}}',
            "$.time.limits_s.decision",
        ),
        (b'"seats": 2, "options": {"a": [1, {"b": {"": 1, "c": 2, "": 3}}]}', "$.options.a[1].b."),
        (b'"seats": 2, "options": {"\xc3\xa9": 1, "\\u00e9": 2}', "$.options.é"),
        (
            b'"seats": 2, "options": {"\\ud83d\\ude00": 1, "\xf0\x9f\x98\x80": 2}',
            "$.options.\U0001f600",
        ),
        (b'"seats": 2, "scenario": {"turn": 3, "turn": 3}', "$.scenario.turn"),
    ],
)
async def test_a_member_twice_is_refused(on: Stage, members: bytes, at: str) -> None:
    ada = await on.player()
    body = b'{"rulebook": "first_edition", "mode": "cooperation", ' + members + b"}"
    refused = problem(await send(ada, body), "invalid-body")
    assert refused["errors"] == [{"source": "body", "at": at, "message": "Given more than once"}]
    await on.list_up()
    assert ok(await ada.get("/v1/games"))["games"] == []


async def test_a_member_twice_is_refused_on_the_fast_lane_too(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    choice = ok(await ada.get(f"/v1/games/{game}/decisions"))["decisions"][0]
    first, last = (each["id"] for each in choice["options"][:2])
    headers = ada.headers({"content-type": "application/json", "idempotency-key": fresh()})
    path = f"/v1/games/{game}/decisions/{choice['id']}"
    twice = f'{{"option": "{first}", "option": "{last}"}}'
    problem(await on.http.post(path, content=twice, headers=headers), "invalid-body")
    once = f'{{"option": "{first}"}}'
    assert (await on.http.post(path, content=once, headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "options", [{"reminders": 1.0}, {"rooms": {"empty": 2**60}}, {"rooms": {"é": 1}}]
)
async def test_the_log_takes_no_values_that_readers_would_read_differently(
    on: Stage, options: Any
) -> None:
    ada = await on.player()
    body = problem(await ada.post("/v1/games", TABLE | {"options": options}), "invalid-body")
    assert body["errors"][0]["at"] == "$.options"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "application/json; charset=latin-1", ""]
)
async def test_only_json_is_read(on: Stage, kind: str) -> None:
    ada = await on.player()
    problem(await send(ada, b"{}", content_type=kind), "unsupported-media-type")
    assert (
        await send(ada, b"{}", content_type="Application/JSON; charset=UTF-8")
    ).status_code == 422


async def test_a_compressed_body_is_not_read(on: Stage) -> None:
    ada = await on.player()
    problem(await send(ada, b"{}", content_encoding="gzip"), "unsupported-media-type")


async def test_a_large_body_is_refused_announced_or_not(on: Stage) -> None:
    ada = await on.player()
    large = b'{"mode": "' + b"x" * 70_000 + b'"}'
    problem(await send(ada, large), "body-too-large")

    async def parts() -> Any:
        for start in range(0, len(large), 10_000):
            yield large[start : start + 10_000]

    headers = {"content-type": "application/json", "idempotency-key": fresh()}
    answer = await on.http.post("/v1/games", content=parts(), headers=ada.headers(headers))
    problem(answer, "body-too-large")


async def test_a_length_that_is_no_number_is_too_large_for_us(on: Stage) -> None:
    ada = await on.player()
    problem(await send(ada, b"{}", content_length="many"), "body-too-large")


async def test_a_command_needs_a_key(on: Stage) -> None:
    ada = await on.player()
    answer = await on.http.post("/v1/games", json=TABLE, headers=ada.headers())
    problem(answer, "idempotency-key-missing")


@pytest.mark.parametrize("key", ["", "with space", "x" * 129, "ü"])
async def test_a_key_is_short_and_visible(on: Stage, key: str) -> None:
    ada = await on.player()
    given = [*ada.headers().items(), ("idempotency-key", key)]
    headers = [(name.encode(), value.encode("latin-1")) for name, value in given]
    answer = await on.http.post("/v1/games", json=TABLE, headers=headers)
    problem(answer, "idempotency-key-invalid")


async def test_a_registration_needs_a_long_key(on: Stage) -> None:
    answer = await on.stranger.post("/v1/players", {"name": "Ada"}, key="short")
    problem(answer, "idempotency-key-invalid")


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=many",
        "status=lost",
        "player=me",
        "lmiit=3",
        "limit=3&limit=4",
        "cursor=" + "x" * 200,
    ],
)
async def test_a_query_is_checked_and_a_misspelt_one_too(on: Stage, query: str) -> None:
    body = problem(await on.http.get(f"/v1/games?{query}"), "invalid-parameter")
    flaw = body["errors"][0]
    assert flaw["source"] == "query"
    assert flaw["at"] in query
    assert flaw["message"]


@pytest.mark.parametrize(
    "query", ["head?at=null", "events?after=null", "events?after=NULL", "state?at=null"]
)
async def test_null_is_no_value_of_a_query(on: Stage, query: str) -> None:
    game = await on.game(await on.player("Ada"), await on.player("Bob"))
    body = problem(await on.http.get(f"/v1/games/{game}/{query}"), "invalid-parameter")
    assert body["errors"][0]["at"] in {"at", "after"}


async def test_a_cursor_is_one_of_ours(on: Stage) -> None:
    problem(await on.stranger.get("/v1/games", cursor="bm90IG91cnM"), "bad-cursor")


async def test_start_takes_no_fields(on: Stage) -> None:
    ada = await on.player()
    game = await on.table(ada)
    problem(await ada.post(f"/v1/games/{game}/start", {"now": True}), "invalid-body")
    problem(await ada.post(f"/v1/games/{game}/start", {}), "table-not-full")
    answer = await on.http.post(
        f"/v1/games/{game}/start",
        content=b"now",
        headers=ada.headers({"idempotency-key": fresh(), "content-type": "text/plain"}),
    )
    problem(answer, "unsupported-media-type")


async def test_a_strange_host_header_is_refused(on: Stage) -> None:
    answer = await on.http.get("/v1/rulebooks", headers={"host": "a b"})
    problem(answer, "misdirected-request")


async def test_a_client_that_hangs_up_half_way_is_no_crash(on: Stage) -> None:
    ada = await on.player()
    headers = ada.headers({"content-type": "application/json", "idempotency-key": fresh()})
    sent = await hung_up(on.service.asgi, "/v1/games", headers)
    assert sent[0]["status"] == 400


async def test_every_kind_of_problem_is_explained_at_its_address(on: Stage) -> None:
    listed = ok(await on.stranger.get("/problems"))["problems"]
    for kind in listed:
        assert ok(await on.stranger.get(kind["type"])) == kind
    problem(await on.stranger.get("/problems/unheard-of"), "problem-not-found")
