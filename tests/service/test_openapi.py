"""The published documents are what the service says and does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator, ValidationError
from openapi_spec_validator import validate

from events.version import VERSION
from service.contract.bodies import COMMAND_TYPES, EVENT_TYPES
from service.contract.schema_forms import EXTENSIBLE
from service.contract.schema_names import published_name
from service.http.problems import KINDS
from tests.service.stage import Json, Player, Stage, ok
from tools import openapi as documents

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT: Json = msgspec.json.decode((ROOT / "openapi/openapi.json").read_bytes())
EVENTS: Json = msgspec.json.decode((ROOT / "openapi/events.schema.json").read_bytes())


def operations() -> Iterator[tuple[str, str, Json]]:
    """Path, method and operation of everything in the document."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def strict(node: Any) -> Any:
    """A copy of a schema in which nothing has fields or values that it does not list."""
    if isinstance(node, list):
        return [strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    copy = {name: strict(value) for name, value in node.items()}
    if EXTENSIBLE in copy:
        copy["enum"] = copy.pop(EXTENSIBLE)
    # What is one of several has what that one lists.
    if "properties" in copy and copy.get("type") == "object" and "anyOf" not in copy:
        copy["additionalProperties"] = False
    return copy


SOME = 5
STRICT: Json = {"schemas": strict(DOCUMENT["components"]["schemas"])}


def check(value: Any, schema: Json) -> None:
    """Validate a value by a schema of the document, every field of it listed."""
    compiled(msgspec.json.encode(schema)).validate(value)


@cache
def compiled(schema: bytes) -> Draft202012Validator:
    """A schema of the document, by which a value may be judged again and again."""
    return Draft202012Validator({"components": STRICT, **msgspec.json.decode(schema)})


def fits(value: Any, schema: Json) -> bool:
    """Whether a value passes ``check``."""
    try:
        check(value, schema)
    except ValidationError:
        return False
    return True


def check_answer(path: str, method: str, answer: Any) -> None:
    """Validate an answer by what the document says of it."""
    said = DOCUMENT["paths"][path][method]["responses"][str(answer.status_code)]
    check(msgspec.json.decode(answer.content), said["content"]["application/json"]["schema"])


def test_the_document_is_valid_openapi() -> None:
    validate(DOCUMENT)


def test_the_files_are_what_the_code_says() -> None:
    assert documents.main(["--check"]) == 0, "make openapi"


def test_a_drift_is_noticed_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert documents.main(["--write"], tmp_path) == 0
    assert documents.main(["--check"], tmp_path) == 0
    (tmp_path / "docs/problems.md").write_text("# None\n", encoding="utf-8")
    (tmp_path / "openapi/openapi.json").unlink()
    assert documents.main(["--check"], tmp_path) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in said] == ["openapi/openapi.json", "docs/problems.md"]


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
async def test_the_service_serves_its_documents(on: Stage, name: str) -> None:
    answer = await on.stranger.get(f"/v1/{name}")
    assert ok(answer) == msgspec.json.decode((ROOT / "openapi" / name).read_bytes())
    assert ok(answer)["info"]["version"] == VERSION
    again = await on.stranger.get(f"/v1/{name}", {"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


async def test_whoever_knows_the_address_alone_finds_the_rest(on: Stage) -> None:
    ada = await on.player()
    answer = await on.stranger.get("/v1")
    said = ok(answer)
    assert (said["service"], said["version"], said["api"]) == ("Parlour", VERSION, "v1")
    for name, path in said["links"].items():
        assert "get" in DOCUMENT["paths"][path], name
        if name != "stream":
            ok(await ada.get(path))
    again = await on.stranger.get("/v1", {"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_operations_are_named_described_and_tagged() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names) >= 27
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    for _, _, operation in operations():
        assert operation["summary"].endswith(".")
        assert set(operation["tags"]) <= tags


def test_commands_take_a_key_and_bodies_an_example() -> None:
    for _, method, operation in operations():
        parameters = [each.get("$ref", "") for each in operation.get("parameters", [])]
        keyed = {f"#/components/parameters/{name}Key" for name in ("Idempotency", "Registration")}
        assert bool(keyed.intersection(parameters)) is (method == "post")
        for media in operation.get("requestBody", {}).get("content", {}).values():
            check(media["example"], media["schema"])


def test_links_lead_to_operations_and_give_them_what_they_take() -> None:
    by_name = {operation["operationId"]: operation for _, _, operation in operations()}
    for _, _, operation in operations():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                assert link.keys() == {"operationId", "parameters"}  # what every generator takes
                target = by_name[link["operationId"]]
                names = {each.get("name") for each in target["parameters"]}
                assert set(link["parameters"]) <= names


def test_requests_refuse_unknown_fields() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for _, _, operation in operations():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            name = media["schema"]["$ref"].rpartition("/")[2]
            assert schemas[name]["additionalProperties"] is False
    assert schemas["NewTimeControl"]["additionalProperties"] is False
    assert schemas["Room25Situation"]["additionalProperties"] is False


def test_every_operation_says_which_problems_it_answers_with() -> None:
    met: set[str] = set()
    for path, _, operation in operations():
        told = {
            status: answer["description"]
            for status, answer in operation["responses"].items()
            if answer.get("$ref") == f"#/components/responses/Problem{status}"
        }
        assert "500" in told
        if path.startswith("/v1/") and not path.endswith("api.json"):
            assert {"400", "401", "429", "503"} <= set(told)
        codes = operation["x-problems"]
        assert {str(KINDS[code].status) for code in codes} == set(told)
        for code in codes:
            assert f"`{code}`: {KINDS[code].title}." in told[str(KINDS[code].status)].splitlines()
        met |= set(codes)
    transport = {"method-not-allowed", "bad-request"}
    assert transport & met == set()


def test_the_answers_with_problems_have_examples_that_fit() -> None:
    shared = DOCUMENT["components"]["responses"]
    assert len(shared) > 10
    for name, answer in shared.items():
        media = answer["content"]["application/problem+json"]
        check(media["example"], media["schema"])
        assert name == f"Problem{media['example']['status']}"
        assert ("Retry-After" in answer.get("headers", {})) is (
            name in {"Problem429", "Problem503"}
        )
    media = shared["Problem404"]["content"]["application/problem+json"]
    assert not fits({**media["example"], "type": "/problems/comet"}, media["schema"])


def test_security_is_said_where_it_is_needed() -> None:
    for path, _, operation in operations():
        if "x-scopes" in operation:
            assert operation["security"] == [{"bearer": []}]
        elif path == "/v1/players" or not path.startswith("/v1/"):
            assert operation["security"] == []


def test_every_event_and_command_has_a_schema_with_its_secrets_marked() -> None:
    for schemas in (DOCUMENT["components"]["schemas"], EVENTS["$defs"]):
        for kind in (*EVENT_TYPES, *COMMAND_TYPES):
            schema = schemas[published_name(kind)]
            tag = {"type": "string", "const": kind.__struct_config__.tag}
            assert schema["properties"]["type"] == tag
            assert "additionalProperties" not in schema
            for name in kind.secrets:
                assert name not in schema["required"]
                assert schema["properties"][name]["description"].startswith("Readable by ")
        mapping = schemas["KnownEvent"]["discriminator"]["mapping"]
        assert set(mapping) == {kind.__struct_config__.tag for kind in EVENT_TYPES}


async def defaults(game: str, player: Player) -> None:
    """Answer everything by its default until the game is over."""
    while True:
        answer = await player.get(f"/v1/games/{game}/decisions")
        check_answer("/v1/games/{game}/decisions", "get", answer)
        asked = [each for each in ok(answer)["decisions"] if each["default"]]
        if not asked:
            return
        path = f"/v1/games/{game}/decisions/{asked[0]['id']}"
        done = await player.post(path, {"option": asked[0]["default"]})
        check_answer("/v1/games/{game}/decisions/{decision}", "post", done)


@pytest.mark.slow
async def test_answers_hold_what_the_document_lists_and_nothing_else(on: Stage) -> None:
    ada = await on.player()
    made = await on.stranger.post("/v1/players", {"name": "Bob"})
    check_answer("/v1/players", "post", made)
    issued = await ada.post("/v1/tokens", {"scopes": ["bot"], "label": "x"})
    check_answer("/v1/tokens", "post", issued)
    game = await on.game(ada, mode="solo")
    for path in ("/v1/games/{game}", "/v1/games/{game}/state", "/v1/games/{game}/events"):
        check_answer(path, "get", await ada.get(path.format(game=game)))
    await defaults(game, ada)
    await on.list_up()
    for path in (
        "/v1/games/{game}",
        "/v1/games/{game}/state",
        "/v1/games/{game}/events",
        "/v1/games",
        "/v1/tokens",
        "/v1/rulebooks",
        "/problems",
        "/v1",
        "/health/live",
        "/health/ready",
        "/health/writable",
    ):
        check_answer(path, "get", await ada.get(path.format(game=game)))
    for path, name in (
        ("/v1/players/{player}", ada.id),
        ("/v1/rulebooks/{rulebook}", "first_edition"),
        ("/problems/{problem}", "not-found"),
    ):
        there = path.partition("{")[0] + name
        check_answer(path, "get", await ada.get(there))
    lines = Draft202012Validator(strict(EVENTS))
    record = await on.stranger.get(f"/v1/games/{game}/record")
    events = await ada.get(
        f"/v1/games/{game}/events?limit=1000", {"accept": "application/x-ndjson"}
    )
    met: Counter[str] = Counter()
    for answer in (record, events):
        for line in map(msgspec.json.decode, answer.content.splitlines()):
            # Lines of a type are alike, and this game has a hundred of some.
            kind = f"{answer.url.path} {line.get('event', {}).get('type')}"
            met[kind] += 1
            if met[kind] <= SOME:
                lines.validate(line)
    assert len(met) > 20
