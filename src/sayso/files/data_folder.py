"""The data folder of one user on this machine: `~/.local/share/sayso` on Linux."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """`sayso` in the platform's data folder. It may not exist yet."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or "~").expanduser()
    if platform == "win32":
        folder = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        told = environment.get("XDG_DATA_HOME") or ""
        folder = Path(told) if Path(told).is_absolute() else home / ".local" / "share"
    return folder / "sayso"
