"""Asks the user to confirm before a task is deleted."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.confirmation import PATIENCE
from sayso.identity.principal import Principal
from sayso.serving.asking import ConfirmedCall
from sayso.tasks.messages import say
from sayso.tasks.service import Question, TaskService
from sayso.tasks.values import DeleteTask, TaskResult


@dataclass(frozen=True)
class Deleting(ConfirmedCall[Question, TaskResult]):
    """A delete that requires confirmation."""

    service: TaskService
    who: Principal
    given: DeleteTask
    key: str | None

    question = Question
    patience = PATIENCE

    async def ask(self) -> Question | TaskResult:
        return await self.service.ask_delete(self.who, self.given, self.key)

    async def answer(self, question: Question, *, yes: bool) -> Question | TaskResult:
        return await self.service.answer_delete(self.who, self.given, question, yes=yes, key=self.key)

    def worded(self, question: Question) -> str:
        details = [
            *([say(self.who.language, "due", due=question.due)] if question.due else []),
            *([say(self.who.language, "repeats")] if question.repeats else []),
            *([say(self.who.language, "completed")] if question.completed else []),
        ]
        if question.again:
            return say(self.who.language, "question_again", title=question.title, details=", ".join(details) or "–")
        if details:
            return say(self.who.language, "question_details", title=question.title, details=", ".join(details))
        return say(self.who.language, "question", title=question.title)

    def agree(self) -> str:
        return say(self.who.language, "agree")

    def cannot_ask(self, question: Question) -> TaskResult:
        return TaskResult(
            status="needs_confirmation",
            reason="needs_confirmation",
            error_message=say(self.who.language, "needs_confirmation", title=question.title),
            task_id=str(question.task),
            title=question.title,
        )
