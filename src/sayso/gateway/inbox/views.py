"""The pages of the inbox as HTML."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from sayso.decision import Confirm
from sayso.gateway.grants.grant import Grant
from sayso.gateway.inbox.desk import Desk
from sayso.gateway.inbox.door import Door, Visitor
from sayso.gateway.inbox.history import REPLAYED, Line, Replayed
from sayso.gateway.inbox.html import ROOT, hidden, html_page, plain, script_head, visible
from sayso.gateway.inbox.page_app import question_form, said_words
from sayso.gateway.messages import say
from sayso.gateway.questions.pages import PATH, Page
from sayso.gateway.trail.rows import verdict_text

_LONG = 1_500  # characters of a call; a longer one is shown on a separate page
_AGAIN = 10  # seconds between two reloads, for a browser without scripts


def questions(desk: Desk, door: Door, visitor: Visitor, said: str | None) -> Response:
    """The open questions, each with its form."""
    lang, pages = desk.lang, desk.pages.open(visitor.user)
    note = f'<p class="note" role="status">{escape(say(lang, f"inbox_said_{said}"))}</p>' if said else ""
    status = f'<p class="hidden" role="status" id="status">{_number(lang, len(pages))}</p>'
    body = f'{note}{status}<div id="questions">{cards(desk, door, visitor, pages)}</div>'
    again = f'<noscript><meta http-equiv="refresh" content="{_AGAIN};url={ROOT}"></noscript>\n'
    return _page(desk, visitor, "questions", body, head=again)


def cards(desk: Desk, door: Door, visitor: Visitor, pages: Sequence[Page]) -> str:
    """A card for each question."""
    if pages:
        return "".join(_card(desk.lang, door, page, visitor) for page in pages)
    none, more = (escape(say(desk.lang, name)) for name in ("inbox_none", "inbox_none_more"))
    return f'<div class="empty" id="empty"><p>{none}</p><p class="soft">{more}</p></div>'


def _card(lang: str | None, door: Door, page: Page, visitor: Visitor) -> str:
    asks, wanted = page.question.asks, page.question.wanted
    minutes = str(max(1, round((page.until - time.time()) / 60)))
    until = datetime.fromtimestamp(page.until, UTC).isoformat(timespec="seconds")
    ends = f'<time class="soft" datetime="{until}">{escape(say(lang, "inbox_ends", minutes=minutes))}</time>'
    destroys = isinstance(asks, Confirm) and asks.reason == "destructive"
    badge = f'<span class="badge warn">{escape(say(lang, "inbox_destructive"))}</span>' if destroys else ""
    title = f"<h2><bdi>{visible(wanted.server)}</bdi> · <bdi>{visible(wanted.tool)}</bdi></h2>"
    inside = question_form(door, page, visitor, back=ROOT)
    if sum(len(plain(value)) for value in asks.arguments.values()) > _LONG:
        link = f'<a class="button" href="{PATH}/{escape(page.id)}">{escape(say(lang, "inbox_look"))}</a>'
        inside = f"{said_words(lang, page)}<p>{escape(say(lang, 'inbox_long'))}</p>{link}"
    meta = f'<p class="meta">{badge}{ends}</p>'
    return f'<article class="card" id="q-{escape(page.id[:24])}">{title}{meta}{inside}</article>'


def trail(desk: Desk, visitor: Visitor, lines: Sequence[Line], *, words: str, before: int, more: bool) -> Response:
    """Entries of the trail, the newest first, with a search."""
    lang = desk.lang
    label = f"<label>{escape(say(lang, 'inbox_search_label'))}"
    field = f'<input type="search" name="q" value="{escape(words)}" maxlength="200"></label>'
    search = (
        f'<form class="row" role="search">{label}{field}<button>{escape(say(lang, "inbox_search"))}</button></form>'
    )
    again = f'<p><a href="{ROOT}/replay">{escape(say(lang, "inbox_replay"))}</a></p>'
    listed = "".join(_line(line) for line in lines)
    rows = (
        f'<ol class="rows">{listed}</ol>' if lines else f'<p class="empty">{escape(say(lang, "inbox_no_entries"))}</p>'
    )
    newest = _to("trail", say(lang, "inbox_newest"), q=words) if before else "<span></span>"
    older = _to("trail", say(lang, "inbox_older"), q=words, before=str(lines[-1].entry.number)) if more else ""
    return _page(desk, visitor, "trail", f'{search}{again}{rows}<p class="more">{newest}{older}</p>')


def _line(line: Line) -> str:
    entry, row = line
    what = " · ".join(f"<bdi>{visible(part)}</bdi>" for part in (row.server, row.tool) if part)
    place = f'<a href="{ROOT}/trail/{entry.number}">{entry.number}</a>'
    words = f'<div class="soft"><q><bdi>{visible(row.words)}</bdi></q></div>' if row.words else ""
    top = f'<div class="meta"><span>{place} {what}</span>{_when(entry.at)}</div>'
    return f"<li>{top}<div>{visible(row.came)}</div>{words}</li>"


def entry(desk: Desk, visitor: Visitor, line: Line, again: Replayed | None) -> Response:
    """Everything in an entry, and how the call would be decided today."""
    lang, found = desk.lang, line.entry
    body = "" if found.body is None else msgspec.json.format(found.body, indent=2)
    parts = [f"<p>{visible(line.row.came)}</p>", f"<p>{_when(found.at)}</p>"]
    if again is not None and again.looked_at:
        parts.append(_again(lang, again))
    parts.append(f"<pre><bdi>{visible(body)}</bdi></pre>")
    parts.append(f'<p class="soft">{escape(say(lang, "inbox_hash"))} {found.hash.hex()}</p>')
    title = say(lang, "inbox_entry", number=str(found.number))
    return _page(desk, visitor, "trail", "".join(parts), title=title)


def _again(lang: str | None, again: Replayed) -> str:
    if not again.others:
        return f'<p class="note">{escape(say(lang, "inbox_same"))}</p>'
    then, now = again.others[0][1:]
    rows = [("inbox_then", then), ("inbox_now", now)]
    listed = "".join(f"<dt>{escape(say(lang, name))}</dt><dd>{_verdict(lang, each)}</dd>" for name, each in rows)
    return f'<p class="note warn">{escape(say(lang, "inbox_differs"))}</p><dl>{listed}</dl>'


def _verdict(lang: str | None, verdict: dict[str, object]) -> str:
    text = msgspec.json.encode(verdict).decode()
    return f"{escape(verdict_text(lang, verdict))}<pre><bdi>{visible(text[:2_000])}</bdi></pre>"


def replay(desk: Desk, visitor: Visitor, again: Replayed) -> Response:
    """How recorded calls would be decided today."""
    lang = desk.lang
    count = say(lang, "inbox_replayed", same=str(again.same), others=str(len(again.others)))
    last = say(lang, "inbox_replay_last", number=str(REPLAYED)) if again.looked_at >= REPLAYED else ""
    listed = "".join(
        f'<li><div class="meta"><a href="{ROOT}/trail/{number}">{number}</a></div>'
        f"<div>{escape(verdict_text(lang, then))} → {escape(verdict_text(lang, now))}</div></li>"
        for number, then, now in again.others
    )
    intro = f'<p class="soft">{escape(say(lang, "inbox_replay_text"))}</p>'
    body = f'{intro}<p class="note">{escape(count)} {escape(last)}</p><ol class="rows">{listed}</ol>'
    return _page(desk, visitor, "trail", body, title=say(lang, "inbox_replay"))


def devices(desk: Desk, door: Door, visitor: Visitor, token: str) -> Response:
    """The paired browsers of the user, and notifications for this one."""
    lang = desk.lang
    listed = "".join(_device(desk, visitor, token, each.device) for each in desk.browsers.paired(visitor.user))
    parts = [f'<ul class="rows">{listed}</ul>', f'<p class="soft">{escape(say(lang, "inbox_pair_more"))}</p>']
    if desk.push_key is not None and door.keys and not desk.subscriptions.has(visitor.paired):
        button = f'<button class="main">{escape(say(lang, "inbox_push"))}</button>'
        data = f'data-push="{escape(desk.push_key)}"'
        parts.append(f'<form method="post" action="{ROOT}/push" {data} hidden>{hidden("token", token)}{button}</form>')
    parts.append('<p class="note" role="status" id="status" hidden></p>')
    return _page(desk, visitor, "devices", "".join(parts))


def _device(desk: Desk, visitor: Visitor, token: str, device: str) -> str:
    lang, found = desk.lang, desk.browsers.device(visitor.user, device)
    if found is None:
        return ""
    day = datetime.fromtimestamp(found.until, UTC).date().isoformat()
    told = ["inbox_signs" if found.key else "inbox_cookie_only"]
    told += ["inbox_notified"] if desk.subscriptions.has(found) else []
    told += ["inbox_this_device"] if device == visitor.paired.device else []
    name = visible(found.label or say(lang, "inbox_device"))
    facts = ", ".join([*(say(lang, each) for each in told), say(lang, "inbox_paired_until", day=day)])
    unpair = escape(say(lang, "inbox_unpair"))
    button = f'<button class="quiet" aria-label="{unpair}: {name}, {device[:6]}">{unpair}</button>'
    form = f'<form method="post">{hidden("token", token)}{hidden("device", device)}{button}</form>'
    code = f'<span class="soft">{device[:6]}</span>'
    return f'<li><strong>{name}</strong> {code}<div class="soft">{escape(facts)}</div>{form}</li>'


def grants(desk: Desk, visitor: Visitor, token: str, found: Sequence[tuple[Grant, int]]) -> Response:
    """The grants of the user, each with a button that revokes it."""
    lang = desk.lang
    listed = "".join(_grant(lang, token, grant, uses) for grant, uses in found)
    none = f'<p class="empty">{escape(say(lang, "inbox_no_grants"))}</p>'
    return _page(desk, visitor, "grants", f'<ul class="rows">{listed}</ul>' if found else none)


def _grant(lang: str | None, token: str, grant: Grant, uses: int) -> str:
    call = f"<bdi>{visible(grant.server)}</bdi> · <bdi>{visible(grant.tool)}</bdi>"
    same = [f"{name}: {msgspec.json.encode(value).decode()}" for name, value in grant.same.items()]
    folder = [say(lang, "inbox_grant_folder", folder=grant.folder)] if grant.folder else []
    known = [say(lang, f"inbox_grant_{grant.scope}")] if grant.scope in ("task", "hour") else []
    covers = ", ".join([*known, *folder, *same])
    until = _when(grant.until) if grant.until else escape(say(lang, "inbox_grant_open"))
    revoke = escape(say(lang, "inbox_revoke"))
    button = f'<button class="quiet" aria-label="{revoke}: {visible(grant.tool)}, {grant.id[:6]}">{revoke}</button>'
    form = f'<form method="post">{hidden("token", token)}{hidden("grant", grant.id)}{button}</form>'
    used = escape(say(lang, "inbox_grant_uses", number=str(uses)))
    top = f'<div class="meta"><strong>{call}</strong><span class="soft">{until}</span></div>'
    return f'<li>{top}<div>{visible(covers)}</div><div class="soft">{used}</div>{form}</li>'


def _page(desk: Desk, visitor: Visitor, here: str, body: str, *, title: str = "", head: str = "") -> Response:
    """A page with the menu of the inbox."""
    lang = desk.lang
    places = {"questions": ROOT, **{name: f"{ROOT}/{name}" for name in ("trail", "grants", "devices")}}
    number = len(desk.pages.open(visitor.user))
    badge = f'<span class="count" id="count"{"" if number else " hidden"}>{number}</span>'
    links = "".join(
        f'<a href="{path}"{" aria-current=page" if name == here else ""}>{escape(say(lang, f"inbox_{name}"))}'
        f"{badge if name == 'questions' else ''}</a>"
        for name, path in places.items()
    )
    menu = f'<nav aria-label="{escape(say(lang, "inbox_menu"))}">{links}</nav>'
    top = f'<header><div><span class="name">Sayso</span>{menu}</div></header>\n'
    heading = title or say(lang, f"inbox_{here}")
    return html_page(lang, f"{heading} – Sayso", body, heading=escape(heading), top=top, head=head + script_head(lang))


def _number(lang: str | None, number: int) -> str:
    return escape(say(lang, "inbox_open", number=str(number)))


def _when(at: datetime) -> str:
    text = at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return (
        f'<time class="soft" datetime="{at.astimezone(UTC).isoformat(timespec="seconds")}" data-local>{text} UTC</time>'
    )


def _to(place: str, text: str, **query: str) -> str:
    given = {name: value for name, value in query.items() if value}
    return f'<a href="{ROOT}/{place}?{escape(urlencode(given))}">{escape(text)}</a>'
