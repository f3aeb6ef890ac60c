"""`make prose`: lists phrases to rewrite, with their places."""

# ruff: noqa: T201  a command prints

from __future__ import annotations

import sys

from docsite.prose.check import findings, readable
from docsite.spelling.texts import LANGUAGES

found = [finding for language in LANGUAGES for finding in findings(language, readable(language))]
for finding in found:
    print(f'{finding.place}: "{finding.phrase}" → {finding.write}')
print(f"{len(found)} findings")
if found:
    sys.exit("rewrite them: docs/contributing/writing.md says how")
