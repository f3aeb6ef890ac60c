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
        """A decider with the packs and languages that come with Sayso, and your own pack folders.

        With `trained=False` only the rules decide, to train a pack and to measure the training. `thresholds` say when
        to act and when to ask; `sayso.composition` reads them from the environment.
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
        """Add the tools of a server without a pack.

        `tools` is its tools/list result, and `name` is the pack of its cases. Proposed calls are checked and completed
        from the message; a message without a proposal decides nothing. The server's hints lower a risk only if it is
        `trusted`. `risks` overrides the risk of tools by name.
        """
        from sayso.packs.bare import bare_pack  # noqa: PLC0415  most programs have packs
        from sayso.packs.draft.catalogue import read_catalogue  # noqa: PLC0415

        self._packs[name] = bare_pack(name, read_catalogue(tools, name), risks or {}, trusted=trusted)

    def warm(self) -> None:
        """Load every pack in every language now, for a process that will decide for long.

        Loaded packs stay in memory, so they are excluded from garbage collection. A collection takes as long as fifty
        decisions.
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
