"""`sayso devices`, as somebody types it."""

from __future__ import annotations

import subprocess
import sys
from uuid import uuid4

import pytest


@pytest.fixture
def sayso(environment):
    def run(*arguments, **more):
        command = [sys.executable, "-m", "sayso.cli", "devices", *arguments]
        return subprocess.run(command, env=environment | more, capture_output=True, encoding="utf-8", check=False)

    return run


def test_a_file_is_imported_listed_and_imported_again(sayso, tmp_path):
    file, user = tmp_path / "fleet.csv", f"ada {uuid4()}"
    file.write_text("id,name,location,commands\nlamp,Lamp,Bar,on=Turn on\nfan,Fan,Loft,on=Turn on\n", "utf-8")
    for _ in range(2):
        done = sayso("import", str(file), "--user", user)
        assert (done.returncode, done.stdout) == (0, f"2 machines of {user} are in the registry.\n")
    listed = sayso("list", "--user", user)
    assert listed.stdout == "fan  Fan  Loft  no contact yet\nlamp  Lamp  Bar  no contact yet\n"


def test_what_is_wrong_is_said_in_one_line(sayso, tmp_path):
    wrong = sayso("import", str(tmp_path / "none.yaml"), "--user", "ada")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    nobody = sayso("list", SAYSO_STDIO_USER="")
    assert "SAYSO_STDIO_USER" in nobody.stderr
    unreachable = sayso("discover", "--user", "ada", SAYSO_MQTT_URL="mqtt://:secret@127.0.0.1:1")
    assert "no connection to the broker" in unreachable.stderr
    assert "secret" not in unreachable.stderr


def test_the_acl_follows_the_layout_and_names_an_owner_as_topics_do(sayso):
    acl = sayso("acl", "--link", "us", SAYSO_MQTT_TOPICS="plant/{machine}/of/{owner}")
    assert "user us\ntopic write plant/+/of/+/set\n" in acl.stdout
    assert "pattern read plant/+/of/%u/set\n" in acl.stdout
    assert sayso("acl", "--user", "https://issuer/ada b").stdout == "https%3A%2F%2Fissuer%2Fada%20b\n"
