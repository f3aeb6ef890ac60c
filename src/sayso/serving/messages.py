"""Messages of a service in the user's language. The texts are in YAML files."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from sayso.files.datafile import read
from sayso.unseen import spelled

DEFAULT = "en"


class Messages:
    """The texts of a file, by language and name; what it lacks is said as every service says it."""

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
        """That language if we have it, else the default."""
        return wanted if wanted in self._texts else DEFAULT

    def say(self, spoken: str | None, name: str, /, **values: str) -> str:
        """The message of this name in that language."""
        text = self._texts[self.language(spoken)][name]
        return text.format(**{key: visible(value) for key, value in values.items()})


def visible(text: str) -> str:
    """With nothing in it that cannot be seen ("a\\u202eb" becomes "a<U+202E>b"), and no quotation mark that could pass
    for the end of what we quote."""
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>").replace('"', '\\"')


_COMMON = Path(__file__).with_name("messages.yaml")
COMMON = Messages(_COMMON)
