"""Build hook: puts the JSON of every YAML file beside it into the wheel, so that a command starts fast."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Runs when the wheel is built; an editable install reads the YAML itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self.target_name != "wheel":
            return
        source = Path(self.root) / "src"
        sys.path.insert(0, str(source))
        from sayso.yamlfile import parse  # noqa: PLC0415  the source is on the path only now

        self._folder = tempfile.TemporaryDirectory()
        for number, path in enumerate(sorted(source.glob("sayso/**/*.yaml"))):
            built = Path(self._folder.name) / f"{number}.json"
            built.write_text(json.dumps(parse(path), ensure_ascii=False), encoding="utf-8")
            build_data["force_include"][str(built)] = str(path.relative_to(source).with_suffix(".json"))
