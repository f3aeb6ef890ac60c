"""Words questions and replies from the pack's texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sayso.decision import Clarify, ClarifyReason, Confirm, ConfirmReason, Evidence, Nothing, NothingReason, Option
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.linking.index import EntityIndex


class _Blank(dict[str, Any]):
    """Leaves a placeholder that nobody filled empty, so that a pack's slip never breaks a decision."""

    def __missing__(self, key: str) -> str:
        return ""


class Voice:
    """Words decisions in one language."""

    def __init__(self, grammar: Grammar, index: EntityIndex, most: int = 5) -> None:
        self._say = grammar.book.say
        self._pack = grammar.pack
        self._index = index
        self._most = most  # options that are offered

    def label(self, identifier: str) -> str:
        entity = self._index.get(identifier)
        if entity is None:
            return identifier
        kind = self._pack.entities.get(entity.kind)
        return entity.text(kind.name) if kind else identifier

    def confirm(
        self,
        tool: str,
        arguments: dict[str, Any],
        evidence: dict[str, Evidence],
        confidence: float,
        reason: ConfirmReason,
        target: str | None,
        label: str = "",
    ) -> Confirm:
        text = self._say.confirm.get(tool) or self._say.confirm.get("*", "")
        changes = ", ".join(self._change(name, value) for name, value in arguments.items() if name.startswith("new_"))
        name = label or (self.label(target) if target else "")
        given = ", ".join(f"{key}: {value}" for key, value in arguments.items())
        question = _fill(text, **{**arguments, "label": name, "changes": changes, "tool": tool, "given": given})
        return Confirm(
            tool=tool, arguments=arguments, evidence=evidence, confidence=confidence, question=question, reason=reason
        )

    def saying(self, asked: Confirm, note: str) -> Confirm:
        """Replace the question by the pack's own text for this parameter, if it has one."""
        text = self._say.confirm.get(f"{asked.tool}.{note}") if note else None
        return msgspec.structs.replace(asked, question=_fill(text, **asked.arguments)) if text else asked

    def _change(self, name: str, value: Any) -> str:
        text = self._say.changes.get(f"{name}.{value}") or self._say.changes.get(name)
        return _fill(text, value=value) if text else f"{name.removeprefix('new_')}: {value}"

    def missing(
        self, tool: str, arguments: dict[str, Any], names: Sequence[str], confidence: float, target: str | None = None
    ) -> Clarify:
        key = names[0]
        ask = self._say.ask
        known = (ask[whole] for name in arguments if (whole := f"{tool}.{key}.{name}") in ask)
        text = next(known, None) or ask.get(f"{tool}.{key}") or ask.get(key)
        if len(names) > 1 and target is not None:
            text = ask.get("update") or text
        told = {**arguments, "name": key, "label": self.label(target) if target else ""}
        question = _fill(text or ask.get("*", ""), **told)
        return self._clarify(tool, arguments, names, confidence, question, "missing")

    def invalid(self, tool: str, arguments: dict[str, Any], name: str, confidence: float) -> Clarify:
        text = self._say.invalid.get(name) or self._say.invalid.get("*", "")
        return self._clarify(tool, arguments, (name,), confidence, _fill(text, name=name), "invalid")

    def which(
        self,
        tool: str,
        arguments: dict[str, Any],
        param: str,
        options: Sequence[Option],
        reason: ClarifyReason,
        said: str,
    ) -> Clarify:
        """Which of these did you mean? Without options: there is no such thing."""
        shown = tuple(options[: self._most])
        labels = ", ".join(f'"{option.label}"' for option in shown)
        if len(options) > len(shown):
            labels += f" {_fill(self._say.more, count=len(options) - len(shown))}"
        text = self._say.which if reason == "ambiguous" else self._say.near if shown else self._say.not_found
        text = self._say.unknown.get(f"{param}.none" if not shown else param, text)
        confidence = max((option.confidence for option in shown), default=0.5)
        return Clarify(
            tool=tool,
            arguments=arguments,
            missing=(param,),
            confidence=confidence,
            question=_fill(text, options=labels, said=said),
            options=shown,
            reason=reason,
        )

    def already(self, tool: str, param: str, target: str) -> Clarify:
        """It is as it should be: nothing is left to do with it."""
        text = self._say.already.get(tool) or self._say.not_found
        question = _fill(text, label=self.label(target), said=self.label(target))
        return self._clarify(tool, {}, (param,), 0.5, question, "not_found")

    def what(self, tool: str, target: str, options: Sequence[Option], reason: ClarifyReason) -> str:
        """What shall be done with it? With what it can do, or does not have what was asked for."""
        text = self._say.ask.get(f"{tool}.{reason}") or self._say.ask.get("*", "")
        shown = ", ".join(f'"{option.label.partition(": ")[2] or option.label}"' for option in options[: self._most])
        return _fill(text, label=self.label(target), options=shown)

    def unsure(self, option: Option, confidence: float) -> Clarify:
        question = _fill(self._say.low_confidence, options=option.label)
        return Clarify(
            tool=option.tool,
            arguments=option.arguments,
            confidence=confidence,
            question=question,
            options=(option,),
            reason="low_confidence",
        )

    def nothing(self, reason: NothingReason, confidence: float, act: str = "") -> Nothing:
        text = self._say.reply.get(f"{reason}.{act}") or self._say.reply.get(reason)
        return (
            Nothing(confidence=confidence, reason=reason, reply=text)
            if text
            else Nothing(confidence=confidence, reason=reason)
        )

    def _clarify(
        self,
        tool: str,
        arguments: dict[str, Any],
        names: Sequence[str],
        confidence: float,
        question: str,
        reason: ClarifyReason,
    ) -> Clarify:
        return Clarify(
            tool=tool,
            arguments=arguments,
            missing=tuple(names),
            confidence=confidence,
            question=question,
            reason=reason,
        )


def _fill(text: str, /, **values: Any) -> str:
    return text.format_map(_Blank(values))
