"""`sayso decide "add a task to buy groceries"`: the decision, for people or as JSON."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from sayso.case import to_json
from sayso.cli.context import CaseFile, Lang, Message, Now, PackName, case_for, decider_for, joined
from sayso.cli.decisions import jsonl
from sayso.cli.show import show

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="decide")
def decide(
    message: Message = None,
    case: CaseFile = None,
    pack: PackName = None,
    lang: Lang = None,
    now: Now = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read one case per line from standard input, write one answer per line.")
    ] = False,
) -> None:
    """Decide what a message asks for.

    A call, a confirmation, a question, or nothing.
    """
    decider = decider_for(pack)
    if as_jsonl:
        if message or any(given is not None for given in (case, lang, now)):
            raise typer.BadParameter("cases come from standard input: omit MESSAGE, --case, --lang and --now")
        raise typer.Exit(jsonl.run(decider, sys.stdin.buffer, sys.stdout.buffer))
    gc.disable()  # one decision and out: looking for garbage would take a tenth of the time
    given = case_for(joined(message), case, pack, lang, now)
    answer = decider.decide(given)
    gc.freeze()  # nor when it ends
    if as_json:
        typer.echo(to_json(answer))
    else:
        show(given, answer)
