"""Build hook: puts the JSON of every YAML file, or of a folder of them, beside it into the wheel: commands start fast.

And beside each language of a pack the table of what its patterns come to, which takes longer than to read them.
"""

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
        import msgspec  # noqa: PLC0415  an editable install needs none of these

        from sayso.files.yamlfile import parse  # noqa: PLC0415
        from sayso.packs.load import (  # noqa: PLC0415  on the path now
            TABLE,
            installed_packs,
            load_pack,
            merged_folders,
            pack_folder,
        )

        for path in sorted((Path(self.root) / "examples").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                inside = path.relative_to(self.root)
                build_data["force_include"][str(path)] = f"sayso/{inside.as_posix()}"
        self._folder = tempfile.TemporaryDirectory()
        folders = merged_folders()
        files = [
            path for path in source.glob("sayso/**/*.yaml") if not any(path.is_relative_to(one) for one in folders)
        ]
        for number, path in enumerate(sorted([*files, *folders])):
            built = Path(self._folder.name) / f"{number}.json"
            built.write_text(json.dumps(parse(path), ensure_ascii=False), encoding="utf-8")
            build_data["force_include"][str(built)] = str(path.relative_to(source).with_suffix(".json"))
        for name in installed_packs():
            languages = load_pack(pack_folder(name)).languages
            for tag in languages.tags:
                built = Path(self._folder.name) / f"{name}-{tag}.json"
                built.write_bytes(msgspec.json.encode(languages.grammar(tag).table()))
                build_data["force_include"][str(built)] = f"sayso/packs/{name}/{tag}{TABLE}"
