"""`sayso chat`: the real command, with lines piped in, with a terminal, and over HTTP."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sayso.cli.chat import Words, language_of, words
from sayso.languages.load import installed_tags
from terminal import NOW, Screen, environment


@pytest.fixture
def chat(root):
    def run(*lines, options=(), status=0, **more):
        done = subprocess.run(
            [sys.executable, "-m", "sayso.cli", "chat", "--now", NOW, *options],
            input="".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"),
            capture_output=True,
            env=environment(root, **more),
            check=False,
        )
        assert done.returncode == status, done.stderr.decode()
        return (done.stdout if status == 0 else done.stderr).decode()

    return run


def test_a_conversation_in_english(chat):
    printed = chat(
        "add buy milk tomorrow at 5pm",
        "",
        "add buy bread",
        "/list",
        "delete buy",
        "2",
        "yes",
        "/undo",
        "complete the milk one",
        "/quit",
        "add never",
    )
    assert printed.splitlines() == [
        'I\'ve added "buy milk" to your list, due tomorrow at 5 pm.',
        'I\'ve added "buy bread" to your list.',
        "You have 2 tasks:",
        "1. buy milk · due tomorrow at 5 pm",
        "2. buy bread",
        'Which one do you mean: "buy milk", "buy bread"?',
        "  1. buy milk",
        "  2. buy bread",
        "say which one, or its number",
        'Delete "buy bread"?',
        "yes or no?",
        'I\'ve deleted "buy bread".',
        'I\'ve taken that back. "buy bread" is as it was.',
        'Well done! "buy milk" is completed.',
    ]


def test_a_conversation_in_italian(chat):
    printed = chat(
        "aggiungi comprare il latte domani alle 17",
        "aggiungi un'attività: comprare il pane",
        "/list",
        "elimina comprare",
        "la prima",
        "/no",
        "elimina comprare il pane",
        "sì",
        "no, torna indietro",
        "/help",
    )
    assert printed.splitlines() == [
        'Ho aggiunto "comprare il latte" alla lista, per domani alle 17:00.',
        'Ho aggiunto "comprare il pane" alla lista.',
        "Hai 2 attività:",
        "1. comprare il latte · per domani alle 17:00",
        "2. comprare il pane",
        'Quale intendi: "comprare il latte", "comprare il pane"?',
        "  1. comprare il latte",
        "  2. comprare il pane",
        "di' quale, o il suo numero",
        'Elimino "comprare il latte"?',
        "sì o no?",
        "Va bene, lascio tutto com'è.",
        'Elimino "comprare il pane"?',
        "sì o no?",
        'Ho eliminato "comprare il pane".',
        'Fatto, sono tornato indietro. "comprare il pane" è com\'era prima.',
        *(f"{command:<12}{what}" for command, what in words("it").help.items()),
    ]


def test_why_shows_the_words_that_a_decision_rests_on(chat):
    printed = chat("/why", "add buy milk", "mark it as done", "/why")
    assert "nothing was decided yet" in printed
    assert "complete_task" in printed
    assert '"it" → buy milk' in printed


def test_what_is_no_command_is_said_so(chat):
    assert chat("/format disk", "/yes").splitlines() == [
        "there is no /format here; /help shows what there is",
        "there is no question open",
    ]


def test_the_list_survives_in_a_file(chat, tmp_path):
    file = tmp_path / "tasks.json"
    chat("add buy milk", options=["--file", file])
    assert chat("/list", options=["--file", file, "--lang", "it"]).splitlines() == ["Hai un'attività:", "1. buy milk"]


def test_a_file_that_is_none_of_ours_is_refused(chat, tmp_path):
    file = tmp_path / "notes.json"
    file.write_text("my notes")
    assert "Name another file" in chat("add buy milk", options=["--file", file], status=2)
    assert file.read_text() == "my notes"


def test_bytes_that_are_no_text_do_no_harm(chat):
    printed = chat("add \udcff\udcfe milk", "add \x1b[31mred", "\x00", "/list", "x" * 100_000)
    assert "\x1b[31m" not in printed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--lang", "fr"], "there are: en, it"),
        (["--url", "ftp://example.org", "--token", "t"], "http:// or https://"),
        (["--url", "http://127.0.0.1:1"], "who you are"),
        (["--url", "http://127.0.0.1:1", "--token", "t", "--file", "x.json"], "leave it away"),
    ],
)
def test_what_makes_no_sense_is_refused(chat, options, said):
    assert said in " ".join(chat(options=options, status=2).replace("│", " ").split())


def test_every_language_has_every_word():
    spoken = [words(tag) for tag in installed_tags()]
    assert len({one.greeting for one in spoken}) == len(installed_tags())
    for one in spoken:
        assert all(getattr(one, name) for name in Words.__struct_fields__)
        assert list(one.help) == list(words("en").help)


def test_the_terminals_language_is_that_of_its_locale():
    assert language_of({"LANG": "it_IT.UTF-8"}) == "it"
    assert language_of({"LANG": "it_IT.UTF-8", "LC_ALL": "en_GB.UTF-8"}) == "en"
    assert language_of({"LANG": "fr_FR.UTF-8"}) == language_of({}) == "en"


def test_deciding_does_not_wait_for_the_chat(root):
    code = (
        "import sys; sys.argv[1:] = ['decide', 'add buy milk'];\n"
        "from sayso.cli.main import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith(('sayso.cli.chat', 'sayso.assistant', 'asyncio'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(root), capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.fixture
def screen(root):
    command = [sys.executable, "-m", "sayso.cli", "chat", "--now", NOW]
    opened = Screen(command, environment(root, LANG="it_IT.UTF-8", TERM="dumb"))
    yield opened
    opened.close()


def test_in_a_terminal_it_greets_prompts_and_ends_with_ctrl_d(screen):
    assert "ctrl-d per uscire" in screen.wait_for("› ")
    screen.type("aggiungi un'attività: comprare il pane\n")
    screen.wait_for('Ho aggiunto "comprare il pane" alla lista.')
    screen.wait_for("› ")
    screen.type("\x04")
    assert screen.running.wait(30) == 0
