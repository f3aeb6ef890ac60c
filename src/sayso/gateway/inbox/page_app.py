"""The confirmation pages over HTTP.

An answer must come from the page itself, in a browser that was paired with the user: by a form with a token that goes
with that browser's cookie, from our own origin, under our own name, and with the signature of its key if it has one. A
browser that is not paired sees nothing of the call, and is asked for a code. The page cannot be framed or kept.
"""

from __future__ import annotations

import hmac
from html import escape

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sayso.decision import Clarify
from sayso.gateway.inbox.door import Door, Visitor
from sayso.gateway.inbox.html import ROOT, form_fields, hidden, html_page, plain, script_head, visible
from sayso.gateway.messages import say
from sayso.gateway.questions.pages import PATH, Challenge, Page, Said
from sayso.gateway.questions.signatures import Signature, answer_text, is_signed
from sayso.gateway.questions.text import circumstances, heading
from sayso.gateway.values import labels

LONGEST_ANSWER = 500
_CHOICES = {"yes": True, "no": False}


def page_routes(door: Door) -> list[Route]:
    """The route of the pages."""
    handlers, place = _Confirmation(door), f"{PATH}/{{id}}"
    return [Route(place, handlers.show, methods=["GET"]), Route(place, handlers.answer, methods=["POST"])]


class _Confirmation:
    """The handlers: a paired browser sees and answers the page, any other is asked for a code."""

    def __init__(self, door: Door) -> None:
        self._door, self._lang = door, door.lang

    async def show(self, request: Request) -> Response:
        page, lang = self._door.page(request), self._lang
        if page is None or page.answer is not None:
            return self._door.said("page_gone", 404)
        visitor = self._visitor(request, page)
        if visitor is None:
            return self._door.pairing_page()
        name = "page_question" if isinstance(page.question.asks, Clarify) else "page_title"
        head = script_head(lang) if self._door.must_sign(visitor) else ""
        link = f'<p><a href="{ROOT}">{escape(say(lang, "inbox_questions"))}</a></p>'
        return html_page(lang, say(lang, name), question_form(self._door, page, visitor) + link, head=head)

    async def answer(self, request: Request) -> Response:
        page, given = self._door.page(request), await form_fields(request)
        if page is None:
            return self._door.said("page_gone", 404)
        if "code" in given:
            return self._door.pair(request, given)
        visitor, token = self._visitor(request, page), given.get("token", "")
        if visitor is None or not self._door.is_from_our_page(request):
            return self._door.said("page_refused", 403)
        if not hmac.compare_digest(token.encode(), page.token(visitor.cookie).encode()):
            return self._door.said("page_refused", 403)
        return self._answered(page, visitor, given)

    def _answered(self, page: Page, visitor: Visitor, given: dict[str, str]) -> Response:
        answer = _answer(page, given)
        if answer is None:
            return self._door.said("page_gone", 404)
        said = Said(page=page.id, answer=answer, scope=_scope(page, given) if answer is True else "")
        if self._door.must_sign(visitor):
            signature = _signature(self._door, page, visitor, said, given)
            if signature is None:
                return self._door.said("page_unsigned", 403)
            said = msgspec.structs.replace(said, signature=signature)
        if not page.keep(said):
            return self._door.said("page_gone", 404)
        if given.get("back") == ROOT:
            return RedirectResponse(f"{ROOT}?said={'no' if answer is False else 'yes'}", 303)
        return self._door.said("page_no_said" if answer is False else "page_yes_said", 200)

    def _visitor(self, request: Request, page: Page) -> Visitor | None:
        """A browser that is paired with the user of this page."""
        visitor = self._door.visitor(request)
        return visitor if visitor is not None and visitor.user == page.user else None


def _answer(page: Page, given: dict[str, str]) -> bool | str | None:
    """Yes or no; to a question about a value, a no, an option or a text. None for anything else."""
    asks, choice = page.question.asks, given.get("answer", "")
    if not isinstance(asks, Clarify):
        return _CHOICES.get(choice)
    if choice == "no":
        return False
    text = given.get("text", "").strip()[:LONGEST_ANSWER]
    return text if text and (not asks.options or text in labels(asks)) else None


def _scope(page: Page, given: dict[str, str]) -> str:
    """How far the yes reaches, if that was offered."""
    scope = given.get("scope", "")
    return scope if any(scope == value for value, _ in page.offers) else ""


def _signature(door: Door, page: Page, visitor: Visitor, said: Said, given: dict[str, str]) -> Signature | None:
    """The signature of this device on this answer to this question, in time; None if it is anything else."""
    until = given.get("until", "")
    challenge = Challenge(given.get("nonce", ""), int(until) if until.isdecimal() else 0, given.get("seal", ""))
    if not page.is_challenge(visitor.cookie, challenge):
        return None
    signature = Signature(
        device=visitor.paired.device,
        origin=door.base,
        until=challenge.until,
        nonce=challenge.nonce,
        value=given.get("signature", ""),
    )
    text = answer_text(page.question.id, page.digest, said.text, signature)
    return signature if is_signed(visitor.paired.key, text, signature.value) else None


def question_form(door: Door, page: Page, visitor: Visitor, *, back: str = "") -> str:
    """The question with everything that would run, each value in full, and the form that answers it. A card of the
    inbox, which leads `back` there, has the server and the tool as its title."""
    asks, wanted, lang = page.question.asks, page.question.wanted, door.lang
    called = [(say(lang, "page_server"), wanted.server), (say(lang, "page_tool"), wanted.tool)]
    rows = [] if back else called
    rows += [(name, plain(value)) for name, value in asks.arguments.items()]
    listed = "".join(f"<dt>{visible(name)}</dt><dd><pre><bdi>{visible(row)}</bdi></pre></dd>" for name, row in rows)
    inside = hidden("token", page.token(visitor.cookie)) + (hidden("back", back) if back else "")
    signing = ""
    if door.must_sign(visitor):
        challenge = page.challenge(visitor.cookie)
        fields = {"nonce": challenge.nonce, "until": str(challenge.until), "seal": challenge.seal, "signature": ""}
        inside += "".join(hidden(name, value) for name, value in fields.items())
        signing = f' data-sign data-question="{escape(page.question.id)}" data-digest="{page.digest}"'
        inside += f'<p class="note warn" role="alert" hidden></p><noscript>{_without(lang)}</noscript>'
    if isinstance(asks, Clarify):
        inside += _clarify_fields(asks, lang)
    else:
        inside += _scopes(page, lang) + _buttons(lang, focus_no=asks.reason == "destructive" and not back)
    form = f'<form method="post" action="{PATH}/{escape(page.id)}"{signing}>{inside}</form>'
    changes = f"<pre><bdi>{visible(page.question.changes)}</bdi></pre>" if page.question.changes else ""
    lines = [] if back else circumstances(page.question, lang)  # a card has the words above it, and the end beside it
    told = "".join(f'<p class="soft"><bdi>{visible(line)}</bdi></p>' for line in lines)
    above = said_words(lang, page) if back else ""
    return f"{above}<p>{visible(heading(page.question))}</p><dl>{listed}</dl>{changes}{told}{form}"


def said_words(lang: str | None, page: Page) -> str:
    """The words that came with the call, and whether the model reports them."""
    words = page.question.wanted.words
    if not words.message:
        return ""
    name = "inbox_words" if words.trusted else "inbox_words_model"
    return f'<p class="soft">{escape(say(lang, name))}: <q><bdi>{visible(words.message[:300])}</bdi></q></p>'


def _without(lang: str | None) -> str:
    return f"<p>{escape(say(lang, 'page_needs_script'))}</p>"


def _buttons(lang: str | None, *, focus_no: bool) -> str:
    """Yes and no. If the call destroys something, Enter alone must not run it."""
    yes = f'<button name="answer" value="yes">{escape(say(lang, "page_yes"))}</button>'
    no = f'<button name="answer" value="no"{" autofocus" * focus_no}>{escape(say(lang, "page_no"))}</button>'
    return yes + no


def _scopes(page: Page, lang: str | None) -> str:
    """How far the yes reaches, if there is a choice; this call only comes first."""
    choices = "".join(
        f'<label><input type="radio" name="scope" value="{escape(value)}"{" checked" * (not number)}>'
        f"<bdi>{visible(title)}</bdi></label>"
        for number, (value, title) in enumerate(page.offers)
    )
    legend = f'<legend class="soft">{escape(say(lang, "scope"))}</legend>'
    return f"<fieldset>{legend}{choices}</fieldset>" if page.offers else ""


def _clarify_fields(asks: Clarify, lang: str | None) -> str:
    """Options to choose from, or a line to write on; and a no."""
    if asks.options:
        choices = "".join(
            f'<label><input type="radio" name="text" value="{escape(each)}" required><bdi>{visible(each)}</bdi></label>'
            for each in labels(asks)
        )
        legend = f'<legend class="soft">{escape(say(lang, "choose"))}</legend>'
        field = f"<fieldset>{legend}{choices}</fieldset>"
    else:
        line = f'<input name="text" maxlength="{LONGEST_ANSWER}" autocomplete="off" required>'
        field = f"<label>{escape(say(lang, 'choose'))} {line}</label>"
    answer = f'<button class="main" name="answer" value="text">{escape(say(lang, "page_answer"))}</button>'
    return f'{field}{answer}<button name="answer" value="no" formnovalidate>{escape(say(lang, "page_no"))}</button>'
