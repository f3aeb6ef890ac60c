"""`sayso chat`: the real command, with lines piped in, with a terminal, and over HTTP."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sayso.cli.assistant.chat import Words, data_file, language_of, where, words
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
        'I\'ve undone that. "buy bread" is as it was.',
        'Well done! "buy milk" is completed.',
    ]


def test_several_things_are_one_question(chat):
    printed = chat(
        "add buy milk tomorrow",
        "add call mum",
        "delete the milk and mum",
        "/yes",
        "undo",
        "/list",
        options=["--memory"],
    )
    assert printed.splitlines()[2:] == [
        "Delete these tasks?",
        "1. buy milk · due tomorrow",
        "2. call mum",
        "yes or no?",
        'I\'ve deleted "buy milk".',
        'I\'ve deleted "call mum".',
        "I've undone that.",
        "You have 2 tasks:",
        "1. buy milk · due tomorrow",
        "2. call mum",
    ]


def test_a_yes_by_command_to_two_questions_asks_which(chat):
    lines = ("add buy milk", "delete buy milk and put candles on the shopping list", "/yes", "yes to both")
    assert chat(*lines, options=["--memory"]).splitlines()[4:] == [
        "There is more than one question open. Which one do you mean?",
        '1. Delete "buy milk"?',
        '2. You have no list "shopping" yet. Create it with "candles"?',
        "say which one, or its number",
        'I\'ve deleted "buy milk".',
        'I\'ve added "candles" to your list "shopping".',
    ]


def test_a_title_that_is_open_already_is_asked_about(chat):
    printed = chat("add buy milk", "add buy milk", "no", "add buy milk", "yes", "/list", options=["--memory"])
    assert printed.splitlines() == [
        'I\'ve added "buy milk" to your list.',
        '"buy milk" is already on your list. Add it again?',
        "yes or no?",
        "All right, I left everything as it is.",
        '"buy milk" is already on your list. Add it again?',
        "yes or no?",
        'I\'ve added "buy milk" to your list.',
        "You have 2 tasks:",
        "1. buy milk",
        "2. buy milk",
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
        'Ho annullato la modifica. "comprare il pane" è com\'era prima.',
        *(f"{command:<12}{what}" for command, what in words("it").help.items()),
    ]


def test_why_shows_the_words_that_a_decision_rests_on(chat):
    printed = chat("/why", "add buy milk", "mark it as done", "/why")
    assert "there is no decision yet" in printed
    assert "complete_task" in printed
    assert '"it" → buy milk' in printed


def test_what_is_no_command_is_said_so(chat):
    assert chat("/format disk", "/yes").splitlines() == [
        "unknown command /format; type /help for the list",
        "there is no open question",
    ]


def test_the_list_survives_in_a_file(chat, tmp_path):
    file = tmp_path / "tasks.json"
    chat("add buy milk", options=["--file", file])
    assert chat("/list", options=["--file", file, "--lang", "it"]).splitlines() == ["Hai un'attività:", "1. buy milk"]


def test_a_file_that_is_none_of_ours_is_refused(chat, tmp_path):
    file = tmp_path / "notes.json"
    file.write_text("my notes")
    assert "Choose another file" in chat("add buy milk", options=["--file", file], status=2)
    assert file.read_text() == "my notes"


def test_bytes_that_are_no_text_do_no_harm(chat):
    printed = chat("add \udcff\udcfe milk", "add \x1b[31mred", "\x00", "/list", "x" * 100_000)
    assert "\x1b[31m" not in printed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--lang", "fr"], "choose from: en, it"),
        (["--url", "ftp://example.org", "--token", "t"], "http:// or https://"),
        (["--url", "http://127.0.0.1:1"], "requires a token"),
        (["--url", "http://127.0.0.1:1", "--token", "t", "--file", "x.json"], "omit this option"),
        (["--pack", "examples/notes", "--memory"], "nothing is stored with --pack"),
        (["--pack", "no-such-folder"], "does not exist"),
        (["--case", "examples/two-tasks.json"], "choose a pack"),
    ],
)
def test_what_makes_no_sense_is_refused(chat, options, said):
    assert said in " ".join(chat(options=options, status=2).replace("│", " ").split())


BIKES = ("--pack", "examples/bikes")


def test_with_a_pack_the_calls_are_shown_and_questions_are_asked(chat):
    printed = chat(
        "rent bike 12 until tomorrow at 6pm", "bike 12 has a flat tyre", "yes", "/list", "undo", options=BIKES
    )
    assert printed.splitlines() == [
        '→ rent_bike {"bike_id": 12, "until": "2026-11-16T18:00"}',
        'Report damage "12" (description: a flat tyre)?',
        "yes or no?",
        '→ report_damage {"bike_id": 12, "description": "a flat tyre"}',
        "unknown command /list; type /help for the list",
        "There is nothing to undo.",
    ]


def test_with_a_pack_an_id_that_is_not_in_the_list_lasts_over_several_questions(chat):
    printed = chat("give back bike 12", "Central Station", "yes", options=BIKES)
    assert 'Return bike "12" (station: Central Station)?' in printed
    assert printed.splitlines()[-1] == '→ return_bike {"bike_id": 12, "station": "Central Station"}'


def test_with_a_pack_a_no_and_a_yes_of_later_show_no_call(chat):
    printed = chat("bike 12 has a flat tyre", "no", "yes", options=BIKES)
    assert "→" not in printed


def test_with_a_pack_items_come_from_a_case(chat, tmp_path):
    items = tmp_path / "items.json"
    items.write_text('{"entities": [{"kind": "note", "id": "n1", "text": "Ann likes tea"}]}')
    printed = chat(
        "throw away the note about tea", "yes", options=("--pack", "examples/notes", "--case", str(items))
    ).splitlines()
    assert printed == ['Throw away "Ann likes tea"?', "yes or no?", '→ delete_note {"note_id": "n1"}']


def test_with_a_pack_in_a_terminal_it_says_that_nothing_is_run(root):
    command = [sys.executable, "-m", "sayso.cli", "chat", "--now", NOW, "--pack", str(root / "examples/notes")]
    screen = Screen(command, environment(root, TERM="dumb"))
    try:
        assert 'The calls of the pack "notes" are shown after an arrow. None of them is run.' in screen.wait_for("› ")
        screen.type("note down that the key is under the mat\n")
        screen.wait_for('→ add_note {"text": "the key is under the mat"}')
        screen.wait_for("› ")
        screen.type("/help\n")
        assert "/list" not in screen.wait_for("› ")
        screen.type("quit\n")
        assert screen.running.wait(30) == 0
    finally:
        screen.close()


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
        "heavy = ('sayso.cli.assistant.chat', 'sayso.assistant', 'asyncio')\n"
        "print([name for name in sys.modules if name.startswith(heavy)])"
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
    assert "quit per uscire" in screen.wait_for("› ")
    screen.type("aggiungi un'attività: comprare il pane\n")
    screen.wait_for('Ho aggiunto "comprare il pane" alla lista.')
    screen.wait_for("› ")
    screen.type("\x04")
    assert screen.running.wait(30) == 0


@pytest.mark.parametrize("word", ["quit", "exit", "/quit", "EXIT"])
def test_a_word_alone_leaves(chat, word):
    assert chat("add buy milk", word, "add never").splitlines() == ['I\'ve added "buy milk" to your list.']


def test_the_list_is_there_the_next_time(chat, tmp_path):
    chat("add buy milk", XDG_DATA_HOME=str(tmp_path))
    assert "buy milk" in chat("/list", XDG_DATA_HOME=str(tmp_path))
    assert (tmp_path / "sayso" / "tasks.json").exists()


def test_after_a_goodbye_the_list_is_there_the_next_time(chat, tmp_path):
    assert chat("add buy milk", "bye", XDG_DATA_HOME=str(tmp_path)).splitlines() == [
        'I\'ve added "buy milk" to your list.',
        "See you soon!",
    ]
    assert "buy milk" in (tmp_path / "sayso" / "tasks.json").read_text()
    assert chat("show my tasks", XDG_DATA_HOME=str(tmp_path)).splitlines() == ["You have one task:", "1. buy milk"]


@pytest.mark.parametrize("word", ["bye", "good night", "arrivederci"])
def test_a_goodbye_promises_no_list_that_is_kept_in_memory(chat, word):
    said = chat("add buy milk", word, options=["--memory"]).splitlines()[1:]
    assert said in (["See you soon!"], ["A presto!"])


def test_in_memory_nothing_is_kept(chat, tmp_path):
    chat("add buy milk", options=["--memory"], XDG_DATA_HOME=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("platform", "environment", "file"),
    [
        ("linux", {"HOME": "{}"}, ".local/share/sayso/tasks.json"),
        ("linux", {"HOME": "{}", "XDG_DATA_HOME": "relative"}, ".local/share/sayso/tasks.json"),
        ("linux", {"HOME": "{}", "XDG_DATA_HOME": "{}/data"}, "data/sayso/tasks.json"),
        ("darwin", {"HOME": "{}"}, "Library/Application Support/sayso/tasks.json"),
        ("win32", {"LOCALAPPDATA": "{}/Local"}, "Local/sayso/tasks.json"),
    ],
)
def test_the_list_is_kept_in_the_data_folder_of_the_platform(tmp_path, platform, environment, file):
    given = {name: value.format(tmp_path) for name, value in environment.items()}
    assert data_file(given, platform) == tmp_path / file


def test_where_nothing_can_be_kept_the_start_says_so(tmp_path):
    (tmp_path / "sayso").write_text("")
    assert data_file({"XDG_DATA_HOME": str(tmp_path)}, "linux") is None
    assert where("en", None) == words("en").in_memory
