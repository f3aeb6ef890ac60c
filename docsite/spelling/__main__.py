"""`make spelling`: says which words no dictionary knows, and where they stand."""

# ruff: noqa: T201  a command prints

from __future__ import annotations

import sys

from docsite.spelling.check import own_words, unknown, words
from docsite.spelling.texts import LANGUAGES, texts

found = 0
for language in LANGUAGES:
    read = words(language, texts(language))
    refused = unknown(language, read)
    found += len(refused)
    print(f"{language}: {len(read)} words, {len(refused)} of them unknown")
    for word, place in refused.items():
        print(f"  {place}: {word}")
if found:
    files = " and ".join(own_words(language).name for language in LANGUAGES)
    sys.exit(f"fix them, or add them to our own words if they are right: {files} in docsite/spelling")
