"""Four generators read the document as it is served, and their clients outlive the next release."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.contract.caller import Caller
from tests.contract.conftest import (
    CHOOSE_AN_EVENT,
    DOCUMENT,
    Folder,
    folder_of_all,
    folder_with,
)
from tests.contract.generating import (
    GENERATORS,
    PYTHON,
    Fault,
    check_python,
    compile_typescript,
    node,
    pydantic_models,
    python_client,
    run,
    typescript_client,
    typescript_types,
)
from tests.contract.later import NEW_EVENT

Answers = list[tuple[str, Any]]

READERS = ("attrs", "pydantic")


def write_answers(folder: Folder, answers: Answers, *, news: bool) -> tuple[int, int]:
    """Put answers where the programs find them; how many events they hold, and versions of views.

    With ``news`` they are such as a later release may give, whatever document the folder has.
    """
    told = [{"schema": name, "answer": answer} for name, answer in answers]
    (folder.path / "answers.json").write_text(json.dumps(told), encoding="utf-8")
    events = sum(len(answer["events"]) for name, answer in answers if name == "EventPage")
    return events - news, sum(a["version"] for name, a in answers if name == "GameView")


def read_by_python(folder: Folder, reader: str) -> Any:
    """What the program in Python says of the answers, by the models of one generator."""
    # Of a document with a fault pydantic may warn; what counts is what becomes of its models.
    program: list[str | Path] = [
        PYTHON,
        "-W",
        "ignore::UserWarning",
        f"read_by_{reader}.py",
        "answers.json",
    ]
    return json.loads(run(program, folder.path))


def read_by_typescript(folder: Folder) -> Any:
    """What the program in TypeScript says of the answers."""
    return json.loads(run([node(), "run/read_answers.js", "../answers.json"], folder.path))


def test_all_four_take_the_document_and_what_they_write_compiles(generated: Folder) -> None:
    for made in ("parlour_client/models", "parlour_models.py", "client/sdk.gen.ts", "schema.ts"):
        assert (generated.path / made).exists()
    # An answer that all operations share is written once, not once for each.
    models = list((generated.path / "parlour_client/models").glob("*problem*.py"))
    assert {path.stem for path in models} == {
        *("problem", "problem_flaw", "problem_kind", "problem_kinds", "problem_kind_titles")
    }
    for path in (generated.path / "parlour_client").rglob("*.py"):
        assert "VALUE_" not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("news", [False, True], ids=["now", "later"])
def test_their_clients_read_answers_of_now_and_later(
    generated: Folder, answers: Answers, renewed: Answers, *, news: bool
) -> None:
    given = renewed if news else answers
    known, versions = write_answers(generated, given, news=news)
    assert known > 50
    for reader in READERS:
        assert read_by_python(generated, reader) == {"known": known, "unknown": int(news)}
    told = read_by_typescript(generated)
    assert told["seats"] == told["ends"] == 1
    assert told["others"] == [NEW_EVENT["type"]] * news
    assert told["versions"] >= versions


@pytest.mark.parametrize("program", ["python", "typescript"])
def test_their_clients_play_a_game(
    generated: Folder, caller: Caller, service: str, program: str
) -> None:
    start, file = (PYTHON, "play.py") if program == "python" else (node(), "run/play.js")
    game = run([start, file, service], generated.path)
    assert caller.get(f"/v1/games/{game}")["state"]["phase"] == "finished"


# --- planted faults: each of them was in the document once, or would be the next ---


def _properties(document: Any, name: str) -> Any:
    return document["components"]["schemas"][name]["properties"]


def no_items(document: Any) -> None:
    """A pair as msgspec writes it."""
    pair = {"type": "array", "prefixItems": [{"type": "integer"}] * 2, "items": False}
    _properties(document, "Room25RulebookMode")["roles"]["additionalProperties"] = pair


def nowhere(document: Any) -> None:
    """A reference that leads nowhere."""
    _properties(document, "GameView")["state"] = {"$ref": "#/components/schemas/Nothing"}


def known_events_alone(document: Any) -> None:
    """No type of event may come."""
    document["components"]["schemas"]["AnyEvent"] = {"$ref": "#/components/schemas/KnownEvent"}


def closed_values(document: Any) -> None:
    """A table has one of these states and never another."""
    values = _properties(document, "DecisionList")["status"].pop("x-extensible-enum")
    _properties(document, "DecisionList")["status"]["enum"] = values


def closed_answers(document: Any) -> None:
    """A view has these fields and never another."""
    document["components"]["schemas"]["GameView"]["additionalProperties"] = False


def open_requests(document: Any) -> None:
    """A wish may have any field."""
    document["components"]["schemas"]["NewGame"]["additionalProperties"] = True


def own_member(document: Any) -> None:
    """A schema that is called as its member."""
    schemas = document["components"]["schemas"]
    schemas["Decisions"] = schemas.pop("DecisionList") | {"title": "Decisions"}
    paths = document["paths"]["/v1/games/{game}/decisions"]["get"]
    media = paths["responses"]["200"]["content"]["application/json"]
    media["schema"] = {"$ref": "#/components/schemas/Decisions"}


Damage = Callable[[Any], None]


def damaged(narrow: Any, path: Path, damage: Damage) -> Folder:
    """A folder with a document that has a fault."""
    document = copy.deepcopy(narrow)
    damage(document)
    return folder_with(path / "damaged", document)


def test_the_narrow_document_has_no_fault_yet(
    narrow: Any, answers: Answers, renewed: Answers, tmp_path: Path
) -> None:
    folder = folder_of_all(tmp_path / "narrow", narrow)
    for name in CHOOSE_AN_EVENT:
        text = (folder.path / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert "elif isinstance(self.event, " in text
    for given, news in ((answers, False), (renewed, True)):
        known, _ = write_answers(folder, given, news=news)
        for reader in READERS:
            assert read_by_python(folder, reader) == {"known": known, "unknown": int(news)}
        assert read_by_typescript(folder)["others"] == [NEW_EVENT["type"]] * news


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("openapi-python-client", no_items),
        ("openapi-python-client", nowhere),
        ("datamodel-code-generator", nowhere),
        ("hey-api", nowhere),
        ("openapi-typescript", nowhere),
    ],
)
def test_a_fault_that_a_generator_does_not_take_is_found(
    narrow: Any, tmp_path: Path, name: str, damage: Damage
) -> None:
    folder = damaged(narrow, tmp_path, damage)
    with pytest.raises(Fault):
        GENERATORS[name](DOCUMENT, folder.path)


def test_a_name_that_python_cannot_tell_from_a_member_is_found(narrow: Any, tmp_path: Path) -> None:
    folder = damaged(narrow, tmp_path, own_member)
    python_client(DOCUMENT, folder.path)
    with pytest.raises(Fault, match="Incompatible types"):
        check_python(folder.path, "parlour_client")


@pytest.mark.parametrize("damage", [known_events_alone, closed_values, closed_answers])
def test_an_answer_that_may_not_change_is_found_by_python(
    narrow: Any, answers: Answers, renewed: Answers, tmp_path: Path, damage: Damage
) -> None:
    folder = damaged(narrow, tmp_path, damage)
    python_client(DOCUMENT, folder.path)
    pydantic_models(DOCUMENT, folder.path)
    for reader in READERS:
        write_answers(folder, answers, news=False)
        read_by_python(folder, reader)
        write_answers(folder, renewed, news=True)
        with pytest.raises(Fault, match="Error: "):
            read_by_python(folder, reader)


@pytest.mark.parametrize("damage", [known_events_alone, closed_values, open_requests])
def test_an_answer_that_may_not_change_is_found_by_typescript(
    narrow: Any, tmp_path: Path, damage: Damage
) -> None:
    folder = damaged(narrow, tmp_path, damage)
    typescript_client(DOCUMENT, folder.path)
    typescript_types(DOCUMENT, folder.path)
    with pytest.raises(Fault, match=r"read_answers\.ts"):
        compile_typescript(folder.path)
