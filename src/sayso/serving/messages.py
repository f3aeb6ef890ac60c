"""Messages of a service in the user's language. The texts are in YAML files."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from sayso.files.datafile import read
from sayso.unseen import spelled

DEFAULT = "en"


class Messages:
    """The texts of a file, by language and name. Texts that the file lacks come from the common file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _texts(self) -> dict[str, dict[str, str]]:
        ours = read(self._path, dict[str, dict[str, str]])
        if self._path == _COMMON:
            return ours
        return {tag: COMMON.texts(tag) | texts for tag, texts in ours.items()}

    def texts(self, tag: str) -> dict[str, str]:
        """All texts of a language."""
        return self._texts.get(tag, {})

    def language(self, wanted: str | None) -> str:
        """The language if the file has it, otherwise the default."""
        return wanted if wanted in self._texts else DEFAULT

    def say(self, spoken: str | None, name: str, /, **values: str) -> str:
        """The message of this name in that language."""
        text = self._texts[self.language(spoken)][name]
        return text.format(**{key: visible(value) for key, value in values.items()})


def visible(text: str) -> str:
    """The text with invisible characters spelled out ("a\\u202eb" becomes "a<U+202E>b") and quotation marks escaped, so
    that it cannot end a quotation."""
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>").replace('"', '\\"')


_COMMON = Path(__file__).with_name("messages.yaml")
COMMON = Messages(_COMMON)
