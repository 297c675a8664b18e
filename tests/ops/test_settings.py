"""What the supervisor takes from the environment, and that the operators' guide names it all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import fields

from ops.run import read_arguments
from ops.run_folder import OWN, settings_of
from runtime.embedded.secret_file import kept_secrets
from runtime.embedded.store import Store
from runtime.settings import PREFIX, Settings, SettingsError

ROOT = Path(__file__).parents[2]


def settings(tmp_path: Path, *arguments: str, **environ: str) -> Settings:
    options = read_arguments(["--var", str(tmp_path), *arguments], environ)
    kept = kept_secrets(tmp_path / "secrets.json")
    return settings_of(options.var, kept, environ, options.port)


def test_without_a_word_the_supervisor_has_settings_of_its_own(tmp_path: Path) -> None:
    found = settings(tmp_path, HOME="/")
    assert found.port == 8025
    assert found.store_url == found.rq_url == Store(tmp_path / "store").url
    assert (found.shards, found.shard_tags) == (4, "banded"), "as folders have had it for ever"


def test_the_environment_and_then_the_command_line_may_say_otherwise(tmp_path: Path) -> None:
    environ = {
        "PARLOUR_PORT": "9000",
        "PARLOUR_LOG_LEVEL": "error",
        "PARLOUR_HEAD_ORIGIN": "club.example",
    }
    found = settings(tmp_path, **environ)
    assert (found.port, found.log_level, found.head_origin) == (9000, "error", "club.example")
    assert settings(tmp_path, "--port", "0", **environ).port == 0


def test_the_folder_is_said_on_the_command_line_or_in_the_environment() -> None:
    environ = {"PARLOUR_VAR": "/games"}
    assert read_arguments([], {}).var == Path("var")
    assert read_arguments([], environ).var == Path("/games")
    assert read_arguments(["--var", "/other"], environ).var == Path("/other")


def test_the_folder_that_was_said_is_in_the_settings_of_all_parts(tmp_path: Path) -> None:
    assert settings(tmp_path).var == tmp_path
    assert settings(tmp_path, PARLOUR_VAR="/games").var == tmp_path


@pytest.mark.parametrize("field", OWN)
def test_the_store_and_the_secrets_are_its_own(tmp_path: Path, field: str) -> None:
    name = PREFIX + field.upper()
    with pytest.raises(SettingsError, match=f"{name} is not for make run"):
        settings(tmp_path, **{name: "1"})


@pytest.mark.parametrize("name", ["PARLOUR_PROT", "PARLOUR_PORT"])
def test_what_is_misspelt_stops_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        settings(tmp_path, **{name: "many"})


def test_the_operators_guide_lists_every_setting() -> None:
    guide = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in guide.splitlines() if line.startswith("| `")]
    named = {name.lower() for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert named == {field.name for field in fields(Settings)}
