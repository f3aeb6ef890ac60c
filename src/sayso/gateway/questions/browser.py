"""Asks in a browser: gives the client a link to the page and waits for the answer.

Only the answer that the person gives on the page counts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import mcp_types as types
import msgspec

from sayso.decision import Confirm
from sayso.gateway.grants.offers import Offer
from sayso.gateway.guarded import Guarded
from sayso.gateway.messages import say
from sayso.gateway.questions.asking import ANSWER, SCOPE, refusal
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.questions.pages import Page, Pages, Said
from sayso.gateway.questions.signatures import Signature, answer_text, is_signed
from sayso.gateway.values import Question, Refuse, State, Wanted
from sayso.ledger.chain import Event
from sayso.protocol import Context, can_open, elicit, is_modern

AT_THE_PAGE = 20  # seconds that a call waits for the user at the page; after that the client calls again
Result = types.CallToolResult | types.InputRequiredResult
Refused = Callable[[str, Wanted, Refuse], Awaitable[types.CallToolResult]]


class Answered(Protocol):
    """Acts on an answer."""

    def __call__(
        self,
        ctx: Context,
        user: str,
        server: Guarded,
        question: Question,
        answer: types.ElicitResult,
        signature: Signature | None = None,
    ) -> Awaitable[Result]: ...


class Trail(Protocol):
    """Where it is recorded what happened."""

    async def add(self, user: str, events: Sequence[Event], *, wait: bool = True) -> None:
        """Add entries; `wait` says whether they must have reached the disk before this returns."""


class Notifies(Protocol):
    """Tells a user about a new question, elsewhere than in the client."""

    def reaches(self, user: str) -> bool: ...

    def tell(self, user: str, question: Question, url: str, until: float) -> None: ...


class Paging:
    """Puts questions on pages, and hands the answers to the gateway."""

    def __init__(
        self,
        pages: Pages,
        browsers: Browsers,
        trail: Trail,
        lang: str | None,
        answered: Answered,
        refused: Refused,
    ) -> None:
        self.pages, self._browsers = pages, browsers
        self.notifier: Notifies | None = None
        self.offered: Callable[[Guarded, Question], Sequence[Offer]] = lambda _server, _question: ()
        self._trail, self._lang, self._answered, self._refused = trail, lang, answered, refused

    async def ask(
        self, ctx: Context, user: str, server: Guarded, question: Question, before: Sequence[Event]
    ) -> Result:
        """The user's answer to exactly this call, if there is one; otherwise sends the user to the page."""
        offers = tuple((offer.value, offer.title) for offer in self.offered(server, question))
        page, new = self.pages.put(user, question, offers)
        asked = {"id": question.id, "wanted": question.wanted, "asks": question.asks, "where": "browser"}
        events = [*before, *([Event("question", asked)] if new else [])]
        if events:
            await self._trail.add(user, events)
        url = self.pages.url(page)
        if new and url is not None and self.notifier is not None:
            self.notifier.tell(user, page.question, url, page.until)
        if page.answer is not None or url is None or not can_open(ctx):
            if self.notifier is not None and self.notifier.reaches(user):
                await page.wait(AT_THE_PAGE)  # the user knows about it, and may answer at once
            return await self._settle(ctx, user, server, page)
        link = types.ElicitRequestURLParams(
            message=say(self._lang, "open_page", tool=question.wanted.tool), url=url, elicitation_id=page.question.id
        )
        if is_modern(ctx):
            state = msgspec.json.encode(State(question=page.question)).decode()
            return types.InputRequiredResult(
                request_state=state, input_requests={ANSWER: types.ElicitRequest(params=link)}
            )
        return await self.go_on(ctx, user, server, question, await elicit(ctx, link))

    async def go_on(self, ctx: Context, user: str, server: Guarded, question: Question, answer: object) -> Result:
        """The person was sent to the page, or would not go, as the client says."""
        page = self.pages.of(user, question)
        if page is None:
            return await self._refused(user, question.wanted, Refuse("refused", say(self._lang, "refused")))
        if isinstance(answer, types.ElicitResult):
            if answer.action == "accept":
                await page.wait(AT_THE_PAGE)
            else:
                page.say(answer=False)
        return await self._settle(ctx, user, server, page)

    def _is_signed(self, page: Page, said: Said, signature: Signature) -> bool:
        """Whether a device that is still paired with the user signed exactly this answer."""
        device = self._browsers.device(page.user, signature.device)
        text = answer_text(page.question.id, page.digest, said.text, signature)
        return device is not None and is_signed(device.key, text, signature.value)

    async def _settle(self, ctx: Context, user: str, server: Guarded, page: Page) -> Result:
        """The answer that was given there; else the link, so that the caller can call again after the answer."""
        said = page.reply
        if said is not None:
            self.pages.close(page)
            if said.signature is not None and not self._is_signed(page, said, said.signature):
                return await self._refused(user, page.question.wanted, Refuse("refused", say(self._lang, "refused")))
            if said.answer is False:
                return await self._answered(ctx, user, server, page.question, types.ElicitResult(action="decline"))
            content: dict[str, str | bool] = {ANSWER: said.answer, **({SCOPE: said.scope} if said.scope else {})}
            answer = types.ElicitResult(action="accept", content={**content})
            return await self._answered(ctx, user, server, page.question, answer, said.signature)
        asks, url = page.question.asks, self.pages.url(page)
        status = "needs_confirmation" if isinstance(asks, Confirm) else "needs_clarification"
        options = [option.label for option in getattr(asks, "options", ())]
        told = {"question": asks.question, "options": options}
        if url is None:
            return refusal(status, say(self._lang, "cannot_ask", question=asks.question), **told)
        name = "browser" if server.asks_in_browser(page.question) else "cannot_ask_inbox"
        return refusal(status, say(self._lang, name, url=url, question=asks.question), url=url, **told)
