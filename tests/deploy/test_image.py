"""The image: what its Containerfile says, and its steps run in a folder; then the service as another user, where
nothing can be written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from containerfile import build, read
from standing import SAYSO, free_port, wait_for

ANYBODY = 65532


@pytest.fixture(scope="module")
def steps(deploy_folder):
    return read(deploy_folder / "Containerfile")[1]


def test_base_images_are_arguments_with_a_tag_to_be_pinned_by_digest(deploy_folder):
    arguments, stages = read(deploy_folder / "Containerfile")
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+(@sha256:[0-9a-f]{64})?", image) for image in arguments.values())
    for stage in stages.values():
        assert stage[0].rest.split()[0] in {f"${{{name}}}" for name in arguments}


def test_every_step_is_a_command_and_no_shell(steps):
    for stage in steps.values():
        assert not [step for step in stage if step.word in ("ADD", "SHELL")]
        for step in stage:
            if step.word in ("RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK"):
                assert step.command[0] not in ("sh", "bash", "/bin/sh"), step


def test_nothing_is_installed_whose_hash_is_not_known(steps):
    for stage in steps.values():
        for step in stage:
            if step.word == "RUN" and "install" in step.command:
                assert "--require-hashes" in step.command or "--no-index" in step.command, step
                assert "--no-deps" in step.command
            assert not (step.word == "RUN" and step.command[0] == "npm" and step.command[1] == "install")


def test_it_runs_as_a_user_by_number_who_is_not_root(steps):
    (user,) = (step.rest for step in steps["final"] if step.word == "USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert user == f"{ANYBODY}:{ANYBODY}"


def test_no_secret_is_built_in(deploy_folder):
    text = (deploy_folder / "Containerfile").read_text("utf-8")
    assert set(re.findall(r"SAYSO_[A-Z_]+", text)) == {"SAYSO_ENV"}
    assert "SAYSO_ENV=production" in text


@pytest.fixture(scope="module")
def built(root, steps, tmp_path_factory):
    """The image's /opt/sayso, built by the Containerfile's own steps; only with SAYSO_TEST_IMAGE: it takes minutes."""
    if "SAYSO_TEST_IMAGE" not in os.environ:
        pytest.skip("it takes minutes: SAYSO_TEST_IMAGE=1 runs it")
    home = tmp_path_factory.mktemp("image")
    build("page", steps["page"], root, home)
    venv.create(home / "base", with_pip=True)
    return build("build", steps["build"], root, home, python=home / "base" / "bin" / "python") / "opt" / "sayso"


def contained(tmp, *command):
    """A command as the image runs it: as nobody in particular, and nothing can be written but to `tmp`."""
    mounts = [
        *_readable(Path(sys.base_prefix), tmp),
        "mount -o remount,bind,ro /",
        f"mount -t tmpfs -o mode=1777 none {tmp}",
    ]
    become = ["setpriv", f"--reuid={ANYBODY}", f"--regid={ANYBODY}", "--clear-groups", "--no-new-privs"]
    return ["unshare", "--mount", "sh", "-c", " && ".join([*mounts, 'exec "$@"']), "sh", *become, *command]


def _readable(python, tmp):
    """What to mount where this machine's Python lies in a folder that is closed to others, such as root's home."""
    closed = next((folder for folder in reversed(python.parents) if not folder.stat().st_mode & 0o001), None)
    if closed is None:
        return []
    aside = [f"mount --bind {python} {tmp}", f"mount -t tmpfs -o mode=755 none {closed}"]
    return [*aside, f"mkdir -p {python}", f"mount --bind {tmp} {python}", f"umount {tmp}"]


def serves_contained(steps, installed, environment, tmp):
    """Start what the image starts, from where it is installed; it must be healthy, and write nothing but to `tmp`."""
    port = free_port()
    (entry,) = (step.command for step in steps["final"] if step.word == "ENTRYPOINT")
    (start,) = (step.command for step in steps["final"] if step.word == "CMD")
    (check,) = (step.command for step in steps["final"] if step.word == "HEALTHCHECK")
    start = [{"8080": str(port), "0.0.0.0": "127.0.0.1"}.get(each, each) for each in start]  # noqa: S104
    healthy = [part.replace("8080", str(port)) for part in check]
    command = contained(tmp, installed / entry[0], *start, "--workers", "2")
    service = subprocess.Popen(command, env=environment, cwd="/", stderr=subprocess.PIPE)
    try:
        wait_for(f"http://127.0.0.1:{port}", service)
        assert subprocess.run(healthy, env=environment, check=False).returncode == 0
    finally:
        service.terminate()
        said = service.communicate(timeout=40)[1]
        sys.stderr.write(said.decode())
    assert b"Read-only file system" not in said
    assert b"Permission denied" not in said
    assert subprocess.run(healthy, env=environment, capture_output=True, check=False).returncode == 1


@pytest.fixture
def tmp(needs, tmp_path):
    """A folder that stands for the image's /tmp, in a place that anybody may pass through."""
    needs("setpriv")
    if os.geteuid() != 0 or subprocess.run([*contained(tmp_path, "true")], capture_output=True, check=False).returncode:
        pytest.skip("becoming another user, with a file system of one's own, needs root")
    with TemporaryDirectory(prefix="sayso-image-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def bare(installed, tmp, **more):
    """The variables of the image: no HOME, and none of what this machine has set."""
    ours = {"PATH": f"{installed}:/usr/bin:/bin", "TMPDIR": str(tmp), "PYTHONDONTWRITEBYTECODE": "1"}
    return ours | more


def test_the_service_runs_as_another_user_where_nothing_can_be_written(root, steps, production, tmp):
    environment = bare(SAYSO.parent, tmp, **production, PYTHONPATH=str(root / "src"))
    assert subprocess.run(
        contained(tmp, "touch", root / "src" / "written"), capture_output=True, check=False
    ).returncode
    serves_contained(steps, SAYSO.parent, environment, tmp)


@pytest.mark.slow
def test_the_image_as_it_is_built_does_the_same(built, steps, production, tmp):
    place = tmp.with_name(f"{tmp.name}-opt")  # where anybody may read it
    shutil.move(built, place)
    try:
        (sayso,) = place.glob("bin/sayso")
        sayso.write_text(sayso.read_text("utf-8").replace(str(built), str(place)))
        serves_contained(steps, place / "bin", bare(place / "bin", tmp, **production), tmp)
        page = list(place.glob("lib/python*/site-packages/sayso/chat/page/index.html"))
        assert page, "the page is not in it"
    finally:
        shutil.move(place, built)


@pytest.mark.slow
def test_the_image_has_no_installer_and_the_locked_packages_alone(built, root):
    packages = {
        path.name.split("-")[0].lower().replace("_", "-") for path in built.glob("lib/*/site-packages/*.dist-info")
    }
    locked = set(re.findall(r"^([a-z0-9.-]+)==", (root / "requirements" / "all.txt").read_text("utf-8"), re.MULTILINE))
    assert packages - {name.replace("_", "-") for name in locked} == {"sayso"}
    assert not (built / "bin" / "pip").exists()
    assert sys.version_info[:2] == (3, 11), "the image's Python is the one that the tests run with"
