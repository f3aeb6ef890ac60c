"""Checks the corpus: every line parses, every value can be read, no message comes twice.

    python -m training.check            # the whole corpus: counts, errors, duplicates
    python -m training.check --values   # also lists the dates and priorities that the engine cannot read

Exits with 1 if a line is wrong or a message comes twice.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from sayso.decider import Decider
from sayso.engine.text.tokens import normalise
from training.examples import NOW
from training.notation import CORPUS, Batch, Message, batch_texts, read_batch

_WORDS = re.compile(r"\w+")
_READ = {"due": "due", "new_due": "due", "priority": "priority", "new_priority": "priority"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=CORPUS, help="the corpus")
    parser.add_argument("--values", action="store_true", help="list the values that the readers cannot read")
    chosen = parser.parse_args()
    found = [read_batch(name, content) for name, content in batch_texts(chosen.folder).items()]
    wrong = [f"{batch.name}:{number}: {why}: {line[:100]}" for batch, bad in found for number, why, line in bad]
    batches = [batch for batch, _ in found]
    twice = list(duplicates(batches))
    counts = Counter((batch.pack, batch.language) for batch in batches for _ in batch.messages)
    for (pack, language), count in sorted(counts.items()):
        print(f"{pack:8} {language}  {count:6} messages")
    print(f"{len(batches)} batches, {sum(counts.values())} messages, {len(wrong)} wrong lines, {len(twice)} duplicates")
    for line in [*wrong, *twice][:50]:
        print(line)
    if chosen.values:
        unread = Counter(unreadable(batches))
        total = sum(len(message.spans) for batch in batches for message in batch.messages)
        print(f"{sum(unread.values())} of {total} values are not read:")
        for (slot, words), count in unread.most_common(200):
            print(f"  {slot:12} {words}{f'  ×{count}' if count > 1 else ''}")
    return int(bool(wrong or twice))


def duplicates(batches: Iterable[Batch]) -> Iterator[str]:
    """Messages whose words came before, in the same language."""
    seen: dict[tuple[str, str, str], str] = {}
    for batch in batches:
        for message in batch.messages:
            key = (batch.pack, batch.language, " ".join(_WORDS.findall(message.text.casefold())) + message.last)
            if key in seen and len(key[2].split()) > 2:
                yield f"{batch.name}: as in {seen[key]}: {message.text[:100]!r}"
            seen.setdefault(key, batch.name)


def unreadable(batches: Iterable[Batch]) -> Iterator[tuple[str, str]]:
    """The values of these batches that no reader of the engine reads."""
    decider = Decider.installed()
    for batch in batches:
        if batch.pack != "tasks":
            continue
        grammar = decider.pack("tasks").languages.grammar(batch.language)
        for message in batch.messages:
            sheet = grammar.read(normalise(message.text), NOW)
            for span in message.spans:
                slot = _READ.get(span.slot)
                if slot is None:
                    continue
                read = any(
                    sheet.words[chunk.core].start < span.end and span.start < sheet.words[chunk.end - 1].end
                    for chunks in sheet.chunks.values()
                    for chunk in chunks
                    if chunk.slot == slot
                )
                if not read:
                    yield span.slot, _said(message, span.start, span.end)


def _said(message: Message, start: int, end: int) -> str:
    return message.text[start:end].casefold()


if __name__ == "__main__":
    sys.exit(main())
