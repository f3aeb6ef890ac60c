"""A rule as the gateway's file has it, and the result of applying rules to a call."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Effect = Literal["allow", "ask", "deny"]
ORDER: tuple[Effect, ...] = ("deny", "ask", "allow")  # the first effect that applies wins


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule: what happens to the calls that an expression matches. Deny wins over ask, and ask over allow."""

    effect: Effect  # `allow` forwards without a question, unless the call is destructive; `ask` asks; `deny` refuses
    when: str = "true"  # a CEL expression; if it fails, `ask` and `deny` apply and `allow` does not
    why: str = ""  # shown with a refusal, and recorded in the trail


class Placed(NamedTuple):
    """A rule and where it is in the file. Without a server it applies to all; without a tool, to all of a server."""

    key: str
    rule: Rule
    server: str | None = None
    tool: str | None = None


class Applied(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rule that decided about a call, as the trail records it."""

    key: str
    effect: Effect
    when: str
    why: str = ""
    problem: str = ""  # why the expression could not be evaluated
