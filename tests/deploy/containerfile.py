"""A Containerfile read and its steps run in a folder: as far as that goes without a container engine.

Every stage has a folder of its own. A path of the image is that path under the stage's folder, in COPY as in RUN.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Step(NamedTuple):
    """An instruction."""

    word: str
    rest: str

    @property
    def command(self):
        """Of RUN, CMD, ENTRYPOINT or HEALTHCHECK: its arguments; anything but the exec form is refused."""
        return json.loads(self.rest[self.rest.index("[") :])


def read(file):
    """The stages by name (the last one is called `final`), each a list of steps; and the arguments before the first."""
    lines = "".join(line for line in file.read_text("utf-8").splitlines(keepends=True) if not line.startswith("#"))
    steps = [Step(*line.split(maxsplit=1)) for line in lines.replace("\\\n", " ").splitlines() if line.strip()]
    arguments = dict(step.rest.split("=", 1) for step in steps if step.word == "ARG")
    stages, name = {}, None
    for step in steps:
        if step.word == "FROM":
            name = step.rest.split()[-1] if " AS " in step.rest else "final"
            stages[name] = []
        if name is not None:
            stages[name].append(step)
    return arguments, stages


def build(stage, steps, context, home, python=sys.executable):
    """Run a stage's steps under `home/stage`; `python` is what its base image calls python."""
    root = home / stage
    here = root
    for step in steps:
        match step.word:
            case "WORKDIR":
                here = root / step.rest.strip("/")
                here.mkdir(parents=True, exist_ok=True)
            case "COPY":
                _copy(step.rest.split(), context, here, home)
            case "RUN":
                command = [_placed(each, root) for each in step.command]
                command[0] = python if command[0] == "python" else command[0]
                environment = {
                    key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SAYSO"))
                }
                done = subprocess.run(
                    command, cwd=here, env=environment, capture_output=True, encoding="utf-8", check=False
                )
                assert done.returncode == 0, f"{step.rest}\n{done.stdout}{done.stderr}"
    return root


def _placed(argument, root):
    return str(root / argument.lstrip("/")) if argument.startswith("/") else argument


def _copy(words, context, here, home):
    source = context
    if words[0].startswith("--from="):
        source = home / words.pop(0).removeprefix("--from=")
    *froms, to = words
    for each in froms:
        path = source / each.lstrip("/")
        assert path.exists(), f"COPY {each}: there is no such file"
        target = Path(to) if to.startswith("/") else here / to
        if path.is_dir():
            ignored = shutil.ignore_patterns("node_modules", "__pycache__")
            shutil.copytree(path, target, dirs_exist_ok=True, ignore=ignored, symlinks=True)
        else:
            shutil.copy(path, target)
