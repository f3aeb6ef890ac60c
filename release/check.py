"""What is published, tested as it is installed: the sdist, the wheel that is built from it, and neither is the tree.

    make release-check

The sdist is unpacked into an empty folder, and the wheel is built there. It goes into a fresh environment with the
hashed packages of the lock. Then some of the tests run from the sdist, whose own source is taken away before.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
# A little of everything: packs, the command, a service on a real database, the page, the gateway.
SHORT = (
    "tests/test_intents.py",
    "tests/test_jsonl.py",
    "tests/tasks/test_service.py",
    "tests/chat/test_page.py",
    "tests/gateway/test_commands.py",
)
WHERE = "import sayso, sys; sys.exit(0 if sayso.__file__.startswith(sys.prefix) else sayso.__file__)"


def main() -> int:
    with TemporaryDirectory(prefix="sayso-release-") as folder:
        home = Path(folder)
        build("--sdist", ROOT, home)
        (sdist,) = home.glob("sayso-*.tar.gz")
        with tarfile.open(sdist) as packed:
            packed.extractall(home, filter="data")
        tree = home / sdist.name.removesuffix(".tar.gz")
        build("--wheel", tree, home)
        (wheel,) = home.glob("sayso-*.whl")
        inside(wheel)
        python = installed(home / "fresh", tree, wheel)
        shutil.rmtree(tree / "src")
        (tree / "src").mkdir()  # an empty one: whoever looks there finds nothing
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        subprocess.run([python, "-c", WHERE], cwd=tree, env=environment, check=True)
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "pythonpath=deploy", *SHORT]
        done = subprocess.run(command, cwd=tree, env=environment, check=False)
        print(f"{sdist.name} → {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)")
        return done.returncode


def build(what: str, source: Path, into: Path) -> None:
    command = [sys.executable, "-m", "build", what, "--no-isolation", "--outdir", into, source]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run(command, env=environment, check=True, capture_output=True)


def inside(wheel: Path) -> None:
    """The licences, the notice, what others made, the page: whoever gets the wheel gets them, too."""
    names = ZipFile(wheel).namelist()
    for needed in ("licenses/LICENSE", "licenses/NOTICE", "licenses/THIRD-PARTY.md", "sayso/chat/page/index.html"):
        if not any(name.endswith(needed) for name in names):
            sys.exit(f"{wheel.name} lacks {needed}")
    version = wheel.name.split("-")[1]
    if not re.search(rf"^## .*\b{re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        sys.exit(f"CHANGELOG.md says nothing of {version}")


def installed(folder: Path, tree: Path, wheel: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--require-hashes", "-r", tree / "requirements" / "dev.txt"], check=True)
    subprocess.run([*pip, wheel], check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
