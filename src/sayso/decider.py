"""The decider: the installed packs and languages, ready to decide."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from sayso.case import Case
from sayso.decision import Answer
from sayso.engine.decide.room import Thresholds
from sayso.engine.grammar.pack import Risk
from sayso.engine.linking.index import EntityIndex
from sayso.engine.pipeline import Run, run
from sayso.errors import UnknownPack
from sayso.packs.load import LoadedPack, installed_packs, load_pack, pack_folder

_USUAL = Thresholds()


class Decider:
    """Decides cases with the packs it was given. Holds no state between cases; safe to share."""

    def __init__(self, folders: dict[str, Path], *, trained: bool = True, thresholds: Thresholds = _USUAL) -> None:
        self._folders, self._trained, self._thresholds = folders, trained, thresholds
        self._packs: dict[str, LoadedPack] = {}

    @classmethod
    def installed(cls, *pack_folders: Path, trained: bool = True, thresholds: Thresholds = _USUAL) -> Decider:
        """With the packs and languages that came with Sayso, and any pack folders of one's own.

        Without what was `trained`, the rules alone decide: to train, and to see what that changes. `thresholds` say
        when to act and when to ask; `sayso.composition` reads them from the environment.
        """
        folders = {name: pack_folder(name) for name in installed_packs()}
        folders.update({folder.name: folder for folder in pack_folders})
        return cls(folders, trained=trained, thresholds=thresholds)

    def pack(self, name: str) -> LoadedPack:
        """The pack of this name, loaded when it is first asked for."""
        loaded = self._packs.get(name)
        if loaded is None:
            if name not in self._folders:
                raise UnknownPack(name, tuple(sorted(self._folders)))
            folder = self._folders[name]
            ours = name in installed_packs() and folder == pack_folder(name)
            loaded = self._packs[name] = load_pack(folder, check=not ours, trained=self._trained)
        return loaded

    def add_tools(
        self, name: str, tools: bytes | str, *, trusted: bool = False, risks: Mapping[str, Risk] | None = None
    ) -> None:
        """Take the tools of a server for which there is no pack: `tools` is what it answers to tools/list.

        Cases name it as their pack. Proposed calls are checked and completed from the words; words alone
        decide nothing. Only where the server is `trusted` do its hints lower a risk; `risks` are what the operator
        says of tools by name, whatever is guessed.
        """
        from sayso.packs.bare import bare_pack  # noqa: PLC0415  most programs have packs
        from sayso.packs.draft.catalogue import read_catalogue  # noqa: PLC0415

        self._packs[name] = bare_pack(name, read_catalogue(tools, name), risks or {}, trusted=trusted)

    def warm(self) -> None:
        """Load every pack in every language now, for a process that will decide for long.

        What is loaded stays, so it is also taken out of the garbage collector's rounds, which would hold up a decision
        for as long as fifty others take.
        """
        for name in self._folders:
            languages = self.pack(name).languages
            for tag in languages.tags:
                languages.grammar(tag)
        gc.collect()
        gc.freeze()

    def decide(self, case: Case | str, index: EntityIndex | None = None) -> Answer:
        """Decide a case. A text alone is a message without context, at this machine's time.

        >>> answer = Decider.installed().decide("add a task to buy milk")
        >>> answer.decisions[0].tool, dict(answer.decisions[0].arguments)
        ('add_task', {'title': 'buy milk'})
        """
        return self.run(case, index).answer

    def run(self, case: Case | str, index: EntityIndex | None = None) -> Run:
        """The decision with what every step saw."""
        if isinstance(case, str):
            case = Case(message=case, now=datetime.now().astimezone())
        if not isinstance(case, Case):
            raise TypeError(f"decide() takes a Case or a message as str, not {type(case).__name__}")
        return run(case, self.pack(case.pack).languages, index, self._thresholds)
