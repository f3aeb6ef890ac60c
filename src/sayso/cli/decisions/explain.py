"""`sayso explain "…"`: shows what each step found and why it decided so.

The same run as `sayso decide`, drawn step by step: words, clauses, the ways each clause can be understood, decision.
"""

from __future__ import annotations

from collections.abc import Iterator

import typer

from sayso.cli.context import CaseFile, Lang, Message, Now, PackName, case_for, decider_for, joined
from sayso.cli.show import show, source_of, visible
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.clauses.detect import detect
from sayso.engine.decide.decide import believed, on_words_alone
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Target
from sayso.engine.pipeline import Run
from sayso.engine.reader.read import NOTHING
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.values.when import When

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_MOST_SENSES = 3
_INTERNAL = ("=", "value:", "lead:", "reader")
_DROPPED = typer.style("dropped: nothing in the words, the history or the items supports it", fg="yellow")


@app.command(name="explain")
def explain(
    message: Message = None, case: CaseFile = None, pack: PackName = None, lang: Lang = None, now: Now = None
) -> None:
    """Show each step of a decision."""
    run = decider_for(pack).run(case_for(joined(message), case, pack, lang, now))
    _step("words", f"language {run.answer.lang}, {len(run.sheet.words)} words", _words(run))
    _step("values", "dates and values that could be read", _values(run))
    _step("context", "what a pronoun or a number may point at", _context(run))
    for number, clause in enumerate(run.clauses, 1):
        _step(f"clause {number}", _quote(run, clause.start, clause.end), _senses(run, clause))
    _step("proposed", _offered(run), _proposed(run))
    _step("reader", _agreement(run), _predictions(run))
    _step("decision", "by risk and confidence", ())
    show(run.case, run.answer)


def _step(name: str, what: str, lines: Iterator[str] | tuple[str, ...]) -> None:
    rows = list(lines)
    if not rows and name in ("values", "context", "proposed", "reader"):
        return
    typer.echo(f"{typer.style(f'{name:<10}', bold=True)}{typer.style(visible(what), dim=True)}")
    for row in rows:
        typer.echo(f"          {row}")


def _quote(run: Run, start: int, end: int) -> str:
    words = run.sheet.words[start:end]
    return f'"{run.case.message[words[0].start : words[-1].end]}"' if words else ""


def _words(run: Run) -> Iterator[str]:
    """Each word with the classes of the lexicon it belongs to, and its correction if it has a typo."""
    names = {number: name for name, number in run.grammar.cls.items()}
    for word, edges in zip(run.sheet.words, run.sheet.edges, strict=True):
        classes = sorted({names[cls] for cls in edges if not names[cls].startswith(_INTERNAL)})
        corrected = [known for known, cost in run.grammar.lexicon.readings(word)[:1] if cost > 0.1]
        slip = typer.style(f"read as {corrected[0]}  ", fg="yellow") if corrected and edges else ""
        shown = ", ".join(classes[:6]) + (" …" if len(classes) > 6 else "")
        yield f"{visible(word.text):<16}{slip}{typer.style(shown, dim=True)}"


def _values(run: Run) -> Iterator[str]:
    seen: set[tuple[int, int, str]] = set()
    for chunks in run.sheet.chunks.values():
        for chunk in chunks:
            key = (chunk.core, chunk.end, chunk.slot)
            if key not in seen:
                seen.add(key)
                doubt = "" if chunk.strong else typer.style("  may be part of a name", dim=True)
                yield f"{visible(_quote(run, chunk.core, chunk.end)):<24}{chunk.slot}: {_value(chunk)}{doubt}"


def _value(chunk: Chunk) -> str:
    when = chunk.value
    if isinstance(when, Repeat):
        return when.rule
    if isinstance(when, Lead):
        return when.duration
    if not isinstance(when, When):
        return str(when)
    if when.shift is not None:
        return f"{when.shift.months} months, {when.shift.days} days, {when.shift.minutes} minutes later"
    if when.period is not None:
        return f"{when.period[0]} to {when.period[1]}"
    time = f" {when.time[0]:02d}:{when.time[1]:02d}" if when.time else ""
    return f"{when.day}{time}"


def _context(run: Run) -> Iterator[str]:
    scene = run.scene
    if scene.focus:
        yield f"in focus: {', '.join(_label(run, identifier) for identifier in scene.focus)}"
    if scene.listed:
        numbered = (f"{number}. {_label(run, identifier)}" for number, identifier in enumerate(scene.listed, 1))
        yield f"last list: {', '.join(numbered)}"


_AGREEMENT = {
    "agree": "the rules and the learned reader agree",
    "rules alone": "the rules decide, because the reader is unsure or less reliable here",
    "reader alone": "the rules found nothing: the learned reader decides",
    "differ": "the rules and the learned reader differ, so a change requires confirmation",
}


def _agreement(run: Run) -> str:
    """How the two witnesses stand to each other."""
    return _AGREEMENT.get(run.verdict.agreement, "") if run.verdict is not None else ""


def _predictions(run: Run) -> Iterator[str]:
    """What the learned reader made of each clause: its act, mood and values, with their probabilities."""
    for one in run.verdict.predictions if run.verdict is not None else ():
        what = one.act if one.act != NOTHING else f"no tool ({one.mood})"
        yield f"{what:<24}{one.chance:.0%}  values {one.certainty:.0%}"
        for value in one.values:
            yield f"  {value.slot:<22}{visible(_quote(run, value.first, value.last))}"


def _offered(run: Run) -> str:
    if run.witness is not None:
        return f"a proposed call of {run.witness[0].tool}"
    return "ignored: the pack has no such tool, the message answers a question, or composing is off"


def _proposed(run: Run) -> Iterator[str]:
    """What a model proposed, value by value: its evidence, or that it is dropped."""
    if run.case.proposed is None:
        return
    if run.witness is None:
        yield visible(run.case.proposed.tool)
        return
    offer, held = run.witness
    for name, value in offer.arguments.items():
        shown = f"{visible(f'{name} = {value}'):<40}"
        one = held.get(name)
        yield shown + (visible(source_of(run.case, one.evidence)) if one is not None else _DROPPED)
    for key in offer.unknown:
        yield f"{visible(key):<40}{typer.style('no parameter of this tool', fg='yellow')}"


def _senses(run: Run, clause: Clause) -> Iterator[str]:
    """The ways to understand a clause, best first."""
    senses = detect(run.sheet.over(clause), run.scene)
    if clause.sense is not None and clause.sense not in senses:
        senses.insert(0, clause.sense)
    if not senses:
        yield typer.style("no sentence of the pack matches", dim=True)
    different = {(one.reading.act, one.reading.target, tuple(one.reading.texts)): one for one in reversed(senses)}
    for number, sense in enumerate(list(reversed(different.values()))[:_MOST_SENSES]):
        mark = typer.style("→", fg="green", bold=True) if number == 0 else " "
        yield f"{mark} {_sense(run, clause, sense)}"


def _sense(run: Run, clause: Clause, sense: Sense) -> str:
    reading = sense.reading
    act = run.grammar.pack.acts[reading.act]
    tool = act.tool or "no tool"
    parts = [f"{reading.act} ({tool})", f"{sense.mood.name} mood", f"score {sense.score:.2f}"]
    parts += [f'{slot} "{visible(piece.text)}"' for slot, piece in reading.texts.items() if piece.text]
    if reading.target is not None:
        parts.append(_target(run, reading.target))
    if reading.match.skipped > 0.5:
        parts.append("words skipped")
    if reading.match.slips:
        parts.append("slips forgiven")
    if run.gate is not None and act.tool is not None and on_words_alone(act, reading):
        belief = believed(run.gate, run.sheet, (clause.start, clause.end), reading)
        parts.append(f"in scope {belief:.0%}")
    return ", ".join(parts)


def _target(run: Run, target: Target) -> str:
    said = f'"{visible(target.said)}"' if target.said else "nothing said"
    if target.ids:
        labels = ", ".join(_label(run, identifier) for identifier in target.ids)
        return f"{said} → {labels} ({target.certainty:.0%}, {target.source})"
    return f"{said}: {(target.problem or '').replace('_', ' ')}"


def _label(run: Run, identifier: str) -> str:
    entity = run.scene.things.get(identifier)
    kind = run.grammar.pack.entities.get(entity.kind) if entity is not None else None
    return visible(entity.text(kind.name)) if entity is not None and kind is not None else visible(identifier)
