"""Asks the user to confirm a command that cannot be undone."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.devices.link.link import number
from sayso.devices.messages import say
from sayso.devices.service import DeviceService, Question
from sayso.devices.values import CommandResult, ExecuteCommand
from sayso.identity.principal import Principal
from sayso.serving.asking import ConfirmedCall

PATIENCE = 120  # seconds that the user has to answer; a machine's state changes quickly


@dataclass(frozen=True)
class Commanding(ConfirmedCall[Question, CommandResult]):
    """A command that may require confirmation."""

    service: DeviceService
    who: Principal
    given: ExecuteCommand
    key: str | None

    question = Question
    patience = PATIENCE

    async def ask(self) -> Question | CommandResult:
        return await self.service.ask_command(self.who, self.given, self.key)

    async def answer(self, question: Question, *, yes: bool) -> Question | CommandResult:
        return await self.service.answer_command(self.who, self.given, question, yes=yes, key=self.key)

    def worded(self, question: Question) -> str:
        value = " ".join(filter(None, ("", number(question.value), question.unit or "")))
        return say(
            self.who.language,
            "question_again" if question.again else "question",
            name=question.name,
            command=question.command_name,
            value=f" {value}" if question.value is not None else "",
        )

    def agree(self) -> str:
        return say(self.who.language, "agree")

    def cannot_ask(self, question: Question) -> CommandResult:
        message = say(self.who.language, "needs_confirmation", name=question.name, command=question.command_name)
        return CommandResult(
            status="needs_confirmation",
            reason="needs_confirmation",
            error_message=message,
            device_id=question.machine,
            name=question.name,
            machine_command_id=question.command,
            command=question.command_name,
            value=question.value,
        )
