"""Reads a folder of texts of which most are packed in one archive, `packed.tar.bz2`.

    python -m training.packed corpus                # packs the plain files too, and removes them
    python -m training.packed corpus --unpack       # writes every text as a plain file, and removes the archive

A plain file counts as much as a packed one, and replaces the packed one of the same name. So you add a batch as a plain
file. Equal texts give an equal archive: it holds names and contents only, in the order of the names.
"""

from __future__ import annotations

import argparse
import bz2
import io
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

ARCHIVE = "packed.tar.bz2"
_SUFFIXES = frozenset({".tsv", ".txt"})
_STAYS = "held-out.txt"  # people look at it


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder, such as corpus or benchmarks/batches")
    parser.add_argument("--unpack", action="store_true", help="write plain files instead of the archive")
    chosen = parser.parse_args()
    found = texts(chosen.folder)
    if chosen.unpack:
        unpack(chosen.folder)
    else:
        pack(chosen.folder)
    print(f"{len(found)} texts {'unpacked' if chosen.unpack else 'packed'} in {chosen.folder}")
    return 0


def texts(folder: Path) -> dict[str, bytes]:
    """The content of each text by its path in the folder, in the order of the paths."""
    found = _packed(folder / ARCHIVE) | {_name(path, folder): path.read_bytes() for path in _plain(folder)}
    return dict(sorted(found.items(), key=lambda item: Path(item[0])))


def pack(folder: Path) -> None:
    """Puts every text of the folder into its archive, and removes the plain files."""
    found = {name: content for name, content in texts(folder).items() if name != _STAYS}
    (folder / ARCHIVE).write_bytes(archive(found))
    for path in _plain(folder):
        if _name(path, folder) in found:
            path.unlink()


def unpack(folder: Path) -> None:
    """Writes every text of the archive as a plain file, and removes the archive."""
    for name, content in texts(folder).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / ARCHIVE).unlink(missing_ok=True)


def archive(contents: Mapping[str, bytes]) -> bytes:
    """An archive of these texts, without times and owners."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in contents.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            tar.addfile(about, io.BytesIO(content))
    return bz2.compress(whole.getvalue())


def _packed(file: Path) -> dict[str, bytes]:
    if not file.exists():
        return {}
    with tarfile.open(file, mode="r:bz2") as tar:
        opened = ((member.name, tar.extractfile(member)) for member in tar)
        return {name: content.read() for name, content in opened if content is not None}


def _plain(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in _SUFFIXES]


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


if __name__ == "__main__":
    sys.exit(main())
