"""The guide for client authors is right: its examples run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.clients import close_client, commands, listening
from events.log import StreamLog
from projections.lobby import Lobby
from service.http.problems import KINDS
from tests.service.live import LONG, ROOT, live
from tests.service.stage import SHARDS
from tools.openapi import documents

GUIDE = (ROOT / "docs/clients.md").read_text(encoding="utf-8")

CURL = f"""#!{sys.executable}
import sys
import httpx
words, headers, body = iter(sys.argv[1:]), {{}}, None
for word in words:
    if word == "-H":
        name, _, value = next(words).partition(": ")
        headers[name] = value
    elif word == "-d":
        body = next(words)
    elif word != "-sS":
        url = word
answer = httpx.request("POST" if body else "GET", url, headers=headers, content=body)
sys.stdout.write(answer.text)
"""
"""As much of curl as the guide uses, for machines that have none."""

pytestmark = [pytest.mark.slow, pytest.mark.system]


def blocks(language: str) -> list[str]:
    """The guide's examples in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def run(arguments: list[str], folder: Path, url: str) -> str:
    """Run an example in a folder of its own; what it prints."""
    path = f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path, "PARLOUR_URL": url, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=LONG * 3,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def list_up(store_url: str) -> None:
    """Bring the lists up to date, as the workers do all the time."""
    client, listener = commands(store_url), listening(store_url)
    await Lobby(StreamLog(client, listener, SHARDS), client).catch_up()
    await close_client(client)
    await listener.aclose()


def test_the_examples_run(store_url: str, tmp_path: Path) -> None:
    program, script, stand_in = (tmp_path / name for name in ("guide.py", "guide.sh", "curl"))
    program.write_text("\n".join(blocks("python")), encoding="utf-8")
    script.write_text("\n".join(blocks("sh")), encoding="utf-8")
    stand_in.write_text(CURL, encoding="utf-8")
    with live(store_url) as running:
        said = run([sys.executable, "-W", "error", str(program)], tmp_path, running.url)
        assert re.fullmatch(r"\w+ \[.*\]\n", said)
        [example] = blocks("py")
        asyncio.run(list_up(store_url))
        said = run([sys.executable, "-W", "error", "-c", example], tmp_path, running.url)
        assert re.fullmatch(r"version \d+ of g\d\d-\w+\n", said)
        # One that is not executable leaves the way to the real curl.
        stand_in.chmod(0o644 if shutil.which("curl") else 0o755)
        said = run(["bash", "-eu", "-o", "pipefail", str(script)], tmp_path, running.url)
        receipt, end = json.JSONDecoder().raw_decode(said)
        assert receipt["version"] > 1
        assert "chain" in said[end:]


def test_the_bodies_that_it_shows_are_json() -> None:
    for block in blocks("json"):
        json.loads(block.replace("…", "x"))


def test_the_problems_that_it_names_exist() -> None:
    named = set(re.findall(r"/problems/([a-z0-9-]+)", GUIDE))
    named |= set(re.findall(r"\(`([a-z0-9]+(?:-[a-z0-9]+)+)`\)", GUIDE))
    assert named
    assert named <= set(KINDS)


def test_the_paths_that_it_names_exist() -> None:
    document = json.loads(documents()["openapi/openapi.json"])
    paths = {re.sub(r"{\w+}", "{}", path) for path in document["paths"]}
    named = set(re.findall(r"(?:GET|POST|DELETE) (/v1/[a-z0-9/{}-]+)", GUIDE))
    assert len(named) > 8
    assert {re.sub(r"{\w+}", "{}", path) for path in named} <= paths


def test_the_generators_that_it_names_are_those_that_are_tried() -> None:
    """`make contract` tries them; the guide says which versions these are."""
    lock = (ROOT / "requirements-contract.txt").read_text(encoding="utf-8")
    packages = json.loads((ROOT / "tests/contract/package.json").read_text(encoding="utf-8"))
    tried = dict(re.findall(r"^([a-z-]+)==([0-9.]+)", lock, re.MULTILINE))
    tried |= {"hey-api": packages["devDependencies"]["@hey-api/openapi-ts"]}
    tried |= {"openapi-typescript": packages["devDependencies"]["openapi-typescript"]}
    named = re.findall(r"^\| ([a-z-]+) ([0-9.]+)(?: \(TypeScript\))? \| `", GUIDE, re.MULTILINE)
    assert len(named) == 4
    for name, version in named:
        assert f"{tried[name]}.".startswith(f"{version}.")
