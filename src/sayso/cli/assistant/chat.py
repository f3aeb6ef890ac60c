"""`sayso chat`: the assistant in a terminal, with its own list or over a chat service."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from sayso.assistant.values import Card, Reply
from sayso.cli.assistant.backends import LocalTalk, Talk, Unanswered
from sayso.cli.assistant.pack_talk import pack_conversation
from sayso.cli.assistant.remote import RemoteTalk
from sayso.cli.assistant.ringing import Bell, Ringing, Tasks, following, reach, watching
from sayso.cli.context import Now, decider_for, items_of, moment, sound
from sayso.cli.show import show, visible
from sayso.decision import Clarify
from sayso.files import datafile
from sayso.files.data_folder import data_folder
from sayso.languages.load import installed_tags
from sayso.languages.spoken import spoken as spoken_in
from sayso.tasks.conversation import todo_conversation
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.store.taskfile import TaskFile

with suppress(ImportError):  # the keys for editing a line, where the platform has them
    import readline

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

PROMPT = "› "
DEFAULT = "en"
OF_A_LIST = ("/list", "/undo")
LEAVE = ("quit", "exit")  # with a slash before them or without


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the terminal itself says, in one language."""

    welcome: str
    greeting: str
    pack_greeting: str
    list: str
    agree: str
    answers: dict[Literal["yes", "no"], str]
    choose: str
    unknown: str
    no_why: str
    no_card: str
    in_file: str
    in_memory: str
    shown_only: str
    rings: str
    following: str
    nothing_rings: str
    unreachable: str
    no_answer: str
    ask_help: tuple[str, ...]  # said alone, it asks for what /help shows
    help: dict[str, str]


@app.command(name="chat")
def chat(
    lang: Annotated[str | None, typer.Option("--lang", help="The language, such as en. Detected if not given.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            dir_okay=False,
            help="The file with the tasks. Default: a file in your data folder.",
            metavar="PATH",
        ),
    ] = None,
    memory: Annotated[
        bool, typer.Option("--memory", help="Keep the tasks in memory; they are lost when you leave.")
    ] = False,
    url: Annotated[
        str | None, typer.Option("--url", help="Use the chat service at this address, such as http://127.0.0.1:8000.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option("--token", envvar="SAYSO_TOKEN", help="The bearer token for the service.", show_envvar=True),
    ] = None,
    pack: Annotated[
        Path | None,
        typer.Option(
            "--pack",
            exists=True,
            file_okay=False,
            help="Talk over the pack in this folder. Its calls are shown, and none is run.",
            metavar="FOLDER",
        ),
    ] = None,
    case: Annotated[
        Path | None,
        typer.Option(
            "--case",
            exists=True,
            dir_okay=False,
            help="With --pack: a JSON file with the items that you can name, as `entities`.",
            metavar="FILE",
        ),
    ] = None,
    now: Now = None,
) -> None:
    """Talk to the assistant in your terminal.

    It does what you say, asks when unsure, and can undo it. Lines that are piped in are answered one by one.
    """
    if lang is not None and lang not in installed_tags():
        raise typer.BadParameter(f"choose from: {', '.join(installed_tags())}", param_hint="--lang")
    spoken = lang or language_of(os.environ)
    clock = partial(_still, moment(now)) if now else _now
    if pack is not None:
        if file is not None or memory or url:
            hint = "--url" if url else "--file" if file is not None else "--memory"
            raise typer.BadParameter("nothing is stored with --pack: omit this option", param_hint=hint)
        about = say(spoken, "shown_only", pack=pack.resolve().name)
        Terminal(_over(pack, case, lang, clock), spoken, about, has_list=False).run()
        return
    if case is not None:
        raise typer.BadParameter("choose a pack with --pack", param_hint="--case")
    if url:
        service = _remote(url, token, spoken, clock, file, memory=memory)
        terminal = Terminal(service, spoken)
        with following(service, terminal.ring) if sys.stdin.isatty() else nullcontext():
            terminal.run()
        return
    if file is not None and memory:
        raise typer.BadParameter("choose either a file or memory", param_hint="--memory")
    kept = None if memory else file or data_file(os.environ)
    told = file is None or sys.stdin.isatty()  # a script that names the file knows where it is
    talk, tasks = _local(lang, kept, clock)
    terminal = Terminal(talk, spoken, where(spoken, kept) if told else "")
    with watching(Bell(tasks, clock), terminal.ring) if sys.stdin.isatty() else nullcontext():
        terminal.run()


def start() -> None:
    """What `sayso` does without a command: says what it can do, and starts the conversation."""
    typer.echo(words(language_of(os.environ)).welcome)
    chat()


def data_file(environment: os._Environ[str] | dict[str, str], platform: str = sys.platform) -> Path | None:
    """Where the tasks are kept unless told otherwise: in the platform's data folder. None where nothing can be kept."""
    folder = data_folder(environment, platform)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / "tasks.json" if os.access(folder, os.W_OK) else None


def where(lang: str, kept: Path | None) -> str:
    """Where the list is, and whether it will be there next time."""
    return say(lang, "in_memory") if kept is None else say(lang, "in_file", file=str(kept.expanduser().resolve()))


def _now() -> datetime:
    return datetime.now().astimezone()


def _still(at: datetime) -> datetime:
    return at


def language_of(environment: os._Environ[str] | dict[str, str]) -> str:
    """The language of this terminal, if we speak it."""
    wanted = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    tag = wanted.partition("_")[0].lower()
    return tag if tag in installed_tags() else DEFAULT


def _local(lang: str | None, file: Path | None, clock: Callable[[], datetime]) -> tuple[Talk, Tasks]:
    """An assistant with its own list, and a function that returns the tasks of that list."""
    if file is not None and not file.expanduser().resolve().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {file.parent}: create it first", param_hint="--file")
    user, kept = _user(), TaskFile(file) if file else None
    hands = MemoryTasks(clock, user=user, language=lang or DEFAULT, file=kept, reach=reach(clock))
    talk = todo_conversation(clock=clock, user=user, lang=lang, decider=decider_for(None), hands=hands)
    return LocalTalk(talk), lambda: kept.load().tasks if kept else hands.kept.tasks


def _over(pack: Path, case: Path | None, lang: str | None, clock: Callable[[], datetime]) -> Talk:
    """An assistant over a pack without tools."""
    decider, things = decider_for(str(pack)), items_of(case)
    return LocalTalk(
        pack_conversation(decider, pack.resolve().name, clock=clock, user=_user(), lang=lang, things=things)
    )


def _remote(
    url: str, token: str | None, lang: str, clock: Callable[[], datetime], file: Path | None, *, memory: bool
) -> RemoteTalk:
    if file is not None or memory:
        hint = "--file" if file is not None else "--memory"
        raise typer.BadParameter("the chat service stores the tasks: omit this option", param_hint=hint)
    if not token:
        raise typer.BadParameter("the chat service requires a token", param_hint="--token")
    try:
        return RemoteTalk(url, token, lang, words=partial(say, lang), clock=clock)
    except ValueError as problem:
        raise typer.BadParameter(str(problem), param_hint="--url") from problem


def _user() -> dict[str, str]:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "me"
    return {"id": name, "name": name}


@cache
def _all_words() -> dict[str, Words]:
    return datafile.read(Path(__file__).with_name("chat.yaml"), dict[str, Words])


def words(lang: str) -> Words:
    return _all_words().get(lang) or _all_words()[DEFAULT]


def say(lang: str, name: str, **values: str) -> str:
    """What the terminal says under this name."""
    text: str = getattr(words(lang), name)
    return text.format(**values)


def reminder_text(lang: str, task: Ringing, now: datetime) -> str:
    """What the terminal prints when a task rings."""
    return say(lang, "rings", title=task.title, due=spoken_in(lang).when(task.due or "", now))


class Terminal:
    """Reads lines and prints the answers. If the input is not a terminal, it prints no prompt and stops at the first
    error, so that you can keep a conversation in a file and run it again."""

    def __init__(self, talk: Talk, lang: str, where: str = "", *, has_list: bool = True) -> None:
        self._talk, self._first_lang, self._where = talk, lang, where
        self._has_list = has_list
        self._live = sys.stdin.isatty()
        self._cards: tuple[Card, ...] = ()

    def run(self) -> None:
        if self._live:
            self._hint(self._words.greeting if self._has_list else self._words.pack_greeting)
        if self._where:  # what is piped on is the conversation alone
            typer.echo(typer.style(visible(self._where), dim=True), err=not self._live)
        for line in self._lines():
            if line.removeprefix("/").casefold() in LEAVE:
                break
            try:
                self._answer(line)
            except Unanswered as problem:
                typer.echo(typer.style(visible(str(problem)), fg="red"), err=True)
                if not self._live:
                    raise typer.Exit(1) from problem

    def ring(self, task: Ringing, now: datetime) -> None:
        """Print a reminder while a line is being typed, and then that line again."""
        text = reminder_text(self._talk.lang if self._talk.decided else self._first_lang, task, now)
        typer.echo(f"\r{typer.style(visible(text), bold=True)}\a")
        typed = readline.get_line_buffer() if "readline" in globals() else ""
        typer.echo(f"{PROMPT}{typed}", nl=False)

    @property
    def _words(self) -> Words:
        return words(self._talk.lang if self._talk.decided else self._first_lang)

    def _lines(self) -> Iterator[str]:
        while True:
            try:
                line = input(PROMPT) if self._live else sys.stdin.buffer.readline().decode("utf-8", "replace")
            except (EOFError, KeyboardInterrupt):
                typer.echo()
                return
            if not line and not self._live:
                return
            if line.strip():
                yield sound(line.strip())

    def _answer(self, line: str) -> None:
        match line:
            case "/help":
                self._help()
            case _ if line.rstrip(" ?!.").casefold() in self._words.ask_help:
                self._tell(self._talk.say(line))
                self._help()
            case "/why":
                self._why()
            case "/list" if self._has_list:
                self._tell(self._talk.say(self._words.list))
            case "/undo" if self._has_list:
                self._tell(self._talk.undo())
            case "/yes" | "/no":
                self._settle(yes=line == "/yes")
            case _ if line.startswith("/"):
                self._hint(self._words.unknown.format(command=line.split(maxsplit=1)[0]))
            case _:
                self._tell(self._talk.say(line))

    def _settle(self, *, yes: bool) -> None:
        match self._cards:
            case ():
                self._hint(self._words.no_card)
            case (card,):
                self._tell(self._talk.settle(card, yes=yes))
            case _:  # which one is meant is asked as if it were said
                self._tell(self._talk.say(self._words.answers["yes" if yes else "no"]))

    def _tell(self, reply: Reply) -> None:
        """Print the reply and the numbered options of its question."""
        for line in reply.reply.split("\n"):
            typer.echo(visible(line))
        self._cards = reply.confirmations
        options = next((one.options for one in reversed(reply.decisions) if isinstance(one, Clarify)), ())
        if len(options) > 1:
            told = options if len(self._cards) < 2 else ()  # several cards are numbered in the reply
            for number, option in enumerate(told, 1):
                typer.echo(f"  {typer.style(f'{number}.', fg='cyan')} {visible(option.label)}")
            self._hint(self._words.choose)
        elif options or self._cards:
            self._hint(self._words.agree)

    def _why(self) -> None:
        if self._talk.decided is None:
            self._hint(self._words.no_why)
        else:
            show(*self._talk.decided)

    def _help(self) -> None:
        for command, what in self._words.help.items():
            if command in OF_A_LIST and not self._has_list:
                continue
            typer.echo(f"{typer.style(f'{command:<12}', fg='cyan')}{what}")

    def _hint(self, text: str) -> None:
        typer.echo(typer.style(visible(text), dim=True))
