"""Secrets do not reach the trail: known forms, named parameters, and texts that look random."""

from __future__ import annotations

import base64
import json
import random
import re
import secrets
import string
import subprocess
import sys
from pathlib import Path

import pytest
from fronts import ENVIRONMENT
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from sayso.errors import BadData
from sayso.gateway.config import RedactionSettings, read_config
from sayso.gateway.redaction.randomness import looks_random
from sayso.gateway.redaction.redactor import Redactor, known
from sayso.gateway.seals.key import Key
from sayso.ledger.chain import Event

ROOT = Path(__file__).parents[2]
REDACTOR = Redactor(RedactionSettings(), Key([b"k" * 32]))
PLACEHOLDER = re.compile(r"\[redacted:[a-z_]+:[0-9a-f]{12}\]")
RANDOM = random.Random(20261116)


def of(alphabet, length):
    return "".join(RANDOM.choice(alphabet) for _ in range(length))


WORD, HEX, UPPER = string.ascii_letters + string.digits, "0123456789abcdef", string.ascii_uppercase + "234567"
SECRETS = {
    "private_key": f"-----BEGIN EC PRIVATE KEY-----\n{of(WORD, 64)}\n{of(WORD, 40)}=\n-----END EC PRIVATE KEY-----",
    "private_key cut off": f"-----BEGIN RSA PRIVATE KEY-----\n{of(WORD, 64)}\n{of(WORD, 10)}",
    "age_key": f"AGE-SECRET-KEY-1{of(string.ascii_uppercase + string.digits, 58)}",
    "jwt": f"eyJ{of(WORD, 20)}.eyJ{of(WORD, 40)}.{of(WORD, 43)}",
    "aws_key": f"AKIA{of(UPPER, 16)}",
    "github": f"ghp_{of(WORD, 36)}",
    "github fine": f"github_pat_{of(WORD, 22)}_{of(WORD, 59)}",
    "gitlab": f"glpat-{of(WORD, 20)}",
    "slack": f"xoxb-{of(string.digits, 12)}-{of(string.digits, 12)}-{of(WORD, 24)}",
    "stripe": f"sk_live_{of(WORD, 24)}",
    "ai_key": f"sk-ant-api03-{of(WORD, 93)}",
    "ai_key old": f"sk-{of(WORD, 48)}",
    "google_key": f"AIza{of(WORD, 35)}",
    "npm": f"npm_{of(WORD, 36)}",
    "pypi": f"pypi-AgEI{of(WORD, 120)}",
    "hugging_face": f"hf_{of(string.ascii_letters, 34)}",
    "sendgrid": f"SG.{of(WORD, 22)}.{of(WORD, 43)}",
    "twilio": f"SK{of(HEX, 32)}",
    "telegram_bot": f"{of('123456789', 10)}:AA{of(WORD, 33)}",
    "digitalocean": f"dop_v1_{of(HEX, 64)}",
    "vault": f"hvs.{of(WORD, 90)}",
}
IN_TEXT = {
    "connection_string": ("postgres://app:{}@db.example.org/app", "hunter2!"),
    "redis": ("redis://:{}@localhost:6379/0", "correct-horse"),
    "bearer": ("curl -H 'Authorization: Bearer {}' https://example.org", "abc123def456ghi789"),
    "basic": ("Authorization: Basic {}", base64.b64encode(b"ada:lovelace1815").decode()),
    "azure_key": ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};", of(WORD, 86) + "=="),
    "url_parameter": ("see https://example.org/files?id=7&sig={}", "0a1b2c3d4e5f"),
    "slack hook": ("https://hooks.slack.com/services/{}", f"T{of(UPPER, 8)}/B{of(UPPER, 8)}/{of(WORD, 24)}"),
    "named": ("password: {}", "hunter2"),
    "named in code": ('{{"api_key": "{}"}}', "abcdefgh"),
    "named with =": ("DB_PASS pwd={}", "sesame42"),
    "said": ("my password is {} and the door is green", "hunter2"),
    "said in Italian": ("la password è {}.", "segreta99"),
}
HARMLESS = [
    "add the note Buy milk",
    "the secret is out",
    "the secret is patience",
    "reset my password please",
    "what is the token limit?",
    "il segreto è la pazienza",
    "the password is wrong",
    "3f2a9c01-d4e8-4b6a-9c01-0123456789ab",
    "b76ebee1f0c2a4d5e6f708192a3b4c5d6e7f8091",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "/srv/Projects/2026/Q4-Report_final-v2/Budget_2026-11-16.xlsx",
    "https://example.org/a/very/long/path/to/some/document-2026-11-16.html?page=2&sort=name",
    "getUserProfileInformationByIdAndVersion2",
    "com.example.application.services.UserAccountServiceImpl",
    "IMG_20261116_183045123_HDR.jpg",
    "2026-11-16T18:30:45.123456+01:00",
    "https://ada@example.org/path",
    "ssh://git@example.org:22/ada/notes.git",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "IT60X0542811101000000123456",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "test_the_gateway_refuses_and_says_when_to_call_again",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore",
    "basic understanding of the bearer bonds market",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "sk-learn and sk-image are libraries",
]


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("around", ["{}", "use {} for the call", '{{"x": "{}"}}', "key={}\nnext line"])
def test_secrets_of_known_forms_are_removed(name, around):
    cleaned = REDACTOR.body({"text": around.format(SECRETS[name])})["text"]
    assert PLACEHOLDER.search(cleaned)
    for part in re.findall(r"\w{12,}", SECRETS[name]):
        assert part not in cleaned


@pytest.mark.parametrize("name", IN_TEXT)
def test_only_the_secret_part_of_a_text_is_removed(name):
    text, secret = IN_TEXT[name]
    cleaned = REDACTOR.body([text.format(secret)])[0]
    assert secret not in cleaned
    assert PLACEHOLDER.sub("{}", cleaned) == text.format("{}")


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_texts_stay(text):
    body = {"text": text, "words": [text], "history": ({"content": text},), "nothing": ()}
    assert REDACTOR.body(body) == body


@pytest.mark.parametrize(
    "name", ["password", "db_password", "userPassword", "PASSWORD", "API-Key", "apiKey", "clientSecret", "access_token"]
)
def test_the_value_of_a_secret_parameter_is_removed_from_everything_beside_it(name):
    body = {
        "wanted": {
            "arguments": {name: 'open"Sesame', "user": "ada"},
            "words": {"message": 'log in with open"Sesame now'},
        },
        "asks": {"question": f'Run bank.login ({name}: "open\\"Sesame", user: "ada")?'},
    }
    cleaned = REDACTOR.body(body)
    assert "Sesame" not in json.dumps(cleaned)
    placeholder = cleaned["wanted"]["arguments"][name]
    assert cleaned["wanted"]["words"]["message"] == f"log in with {placeholder} now"
    assert cleaned["asks"]["question"] == f'Run bank.login ({name}: "{placeholder}", user: "ada")?'
    assert cleaned["wanted"]["arguments"]["user"] == "ada"


def test_numbers_lists_and_objects_under_a_secret_name_are_removed():
    body = {"cvv": 123, "credentials": {"name": "ada", "parts": ["x1", {"deep": "y2"}], "valid": True, "none": None}}
    cleaned = REDACTOR.body({**body, "text": "the cvv is 123"})
    assert "123" not in cleaned["text"]
    assert PLACEHOLDER.fullmatch(cleaned["cvv"])
    inner = cleaned["credentials"]
    assert all(PLACEHOLDER.fullmatch(each) for each in (inner["name"], inner["parts"][0], inner["parts"][1]["deep"]))
    assert (inner["valid"], inner["none"]) == (True, None)


@pytest.mark.parametrize(
    "name", ["max_tokens", "token_count", "page_token", "nextToken", "author", "passenger", "pinned"]
)
def test_names_that_only_look_like_it_are_left_alone(name):
    assert REDACTOR.body({name: "three"}) == {name: "three"}


def test_equal_secrets_stay_equal_and_the_digest_needs_the_key():
    one, same, other = (REDACTOR.body({"password": each})["password"] for each in ("hunter2", "hunter2", "hunter3"))
    assert one == same != other
    elsewhere = Redactor(RedactionSettings(), Key([b"x" * 32])).body({"password": "hunter2"})["password"]
    assert elsewhere != one


def test_random_texts_are_found_and_ordinary_ones_are_not():
    alphabets = (WORD, WORD + "+/", WORD + "-_")
    tokens = [of(alphabets[number % 3], RANDOM.randint(24, 60)) for number in range(3_000)]
    assert sum(looks_random(token) for token in tokens) / len(tokens) >= 0.97
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "src" / "sayso").rglob("*.py"), ROOT / "Makefile"]
    words = {word for file in files for word in re.findall(r"[\w+/=-]{20,200}", file.read_text(encoding="utf-8"))}
    found = [word for word in words if looks_random(word)]
    assert len(words) > 500
    assert found == []


def test_a_long_text_takes_little_time():
    text = "the quick brown fox jumps over the lazy dog. " * 20_000  # 900 kB
    assert REDACTOR.body([text]) == [text]


def test_it_can_be_switched_off_and_extended():
    body = {"password": "hunter2", "text": "customer C-123456"}
    off = Redactor(RedactionSettings(on=False), Key([b"k" * 32]))
    assert off.body(body) == body
    assert off.events([Event("call", body)]) == [Event("call", body)]
    more = Redactor(
        RedactionSettings(patterns={"customer": r"customer (?P<secret>C-\d{6})"}, parameters=("text body",)),
        Key([b"k" * 32]),
    )
    assert re.fullmatch(r"customer \[redacted:customer:\w{12}\]", more.body(body)["text"])
    assert PLACEHOLDER.fullmatch(more.body({"textBody": "x"})["textBody"])


@pytest.mark.parametrize("patterns", [{"broken": "("}, {"Not A Name": "x"}])
def test_a_pattern_that_is_none_is_an_error_of_the_file(tmp_path, patterns):
    file = tmp_path / "sayso.json"
    sayso = {"redaction": {"patterns": patterns}}
    file.write_text(json.dumps({"mcpServers": {"a": {"command": "x"}}, "sayso": sayso}))
    with pytest.raises(BadData, match="redaction"):
        read_config(file)


def test_every_known_pattern_compiles_by_itself():
    for kind, pattern in known().patterns.items():
        assert re.fullmatch(r"[a-z_]{1,30}", kind)
        assert re.compile(pattern).groupindex.keys() <= {"secret"}


BEHIND = """
from mcp.server import MCPServer

server = MCPServer("bank")


@server.tool()
def save_login(site: str, password: str) -> str:
    "Save a login."
    return "saved"


@server.tool()
def add_note(text: str) -> str:
    "Add a note."
    return "added"


server.run()
"""


def trail(folder, command):
    run = [sys.executable, "-m", "sayso.cli", "trail", command]
    return subprocess.run(run, cwd=folder, env=ENVIRONMENT, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.anyio
async def test_nothing_secret_is_in_the_state_folder_and_replay_comes_to_the_same(tmp_path):
    (tmp_path / "bank.py").write_text(BEHIND)
    bank = {"command": sys.executable, "args": ["bank.py"], "cwd": str(tmp_path)}
    writes = {"tools": {"save_login": {"risk": "write"}, "add_note": {"risk": "write"}}}
    (tmp_path / "sayso.json").write_text(json.dumps({"mcpServers": {"bank": bank | {"sayso": writes}}}))
    arguments = ["-m", "sayso.cli", "gateway"]
    gateway = StdioServerParameters(command=sys.executable, args=arguments, env=ENVIRONMENT, cwd=tmp_path)
    key, password = f"ghp_{secrets.token_hex(18)}", "correct-horse-9"
    asked = []

    async def yes(_context, params):
        asked.append(params.message)
        return ElicitResult(action="accept", content={"answer": True})

    async with Client(gateway, elicitation_callback=yes) as client:
        said = f"save the login for example.org with password {password}"
        saved = await client.call_tool(
            "save_login", {"site": "example.org", "password": password}, meta={"sayso/words": said}
        )
        noted = await client.call_tool("add_note", {"text": f"key {key}"}, meta={"sayso/words": "show my notes"})
        await client.call_tool("add_note", {"text": "buy milk"}, meta={"sayso/words": "add a note: buy milk"})
    assert not saved.is_error
    assert not noted.is_error
    assert any(key in question for question in asked)  # a question shows what runs
    for file in (tmp_path / "sayso.sayso").rglob("*"):
        if file.is_file():
            assert key.encode() not in file.read_bytes()
            assert password.encode() not in file.read_bytes()
    assert trail(tmp_path, "replay") == "3 calls are decided the same, 0 differently\n"
    stored = map(json.loads, (tmp_path / "sayso.sayso" / "trail.jsonl").read_text().splitlines())
    judged = [json.loads(entry["body"]) for entry in stored if entry["kind"] == "judged"]
    assert [one.get("as_stored") is not None for one in judged] == [True, True, False]  # only secrets judge it again
    assert "[redacted:parameter:" in trail(tmp_path, "list")
