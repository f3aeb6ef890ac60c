"""The frame of the gateway's pages: HTML on the server, a strict policy, and text that cannot become markup."""

from __future__ import annotations

import secrets
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse

from sayso.gateway.messages import DEFAULT, say
from sayso.unseen import spelled

MOST_BYTES = 8_192
ROOT = "/inbox"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers would not send our own origin either
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SCRIPT = "script-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self'; "
_TYPES = "require-trusted-types-for 'script'; trusted-types sayso-inbox; "


def html_page(
    lang: str | None, title: str, body: str, status: int = 200, *, heading: str = "", top: str = "", head: str = ""
) -> HTMLResponse:
    """A page. It loads only the inbox's own script, and only if `head` names it."""
    nonce = secrets.token_urlsafe(16)
    template, style = _frame()
    text = template.substitute(
        lang=escape(lang or DEFAULT),
        title=escape(title),
        heading=heading or escape(title),
        nonce=nonce,
        style=style,
        head=head,
        top=top,
        body=body,
    )
    script = _SCRIPT + _TYPES if head else ""
    policy = (
        f"default-src 'none'; {script}style-src 'nonce-{nonce}'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    )
    return HTMLResponse(text, status, {**_HEADERS, "Content-Security-Policy": policy})


def script_head(lang: str | None) -> str:
    """The lines of the head with the script of the inbox and its texts."""
    names = ("inbox_signing", "inbox_no_key", "inbox_push_on", "inbox_push_failed", "inbox_push_denied")
    texts = {name: say(lang, name) for name in names} | {"inbox_open": say(lang, "inbox_open", number="{number}")}
    told = escape(msgspec.json.encode(texts).decode())
    manifest = f'<link rel="manifest" href="{ROOT}/manifest.webmanifest">\n<link rel="icon" href="{ROOT}/icon.svg">\n'
    return f'{manifest}<meta name="sayso-texts" content="{told}">\n<script src="{ROOT}/inbox.js" defer></script>\n'


@cache
def _frame() -> tuple[Template, str]:
    here = Path(__file__).parent
    return Template((here / "page.html").read_text("utf-8")), (here / "page.css").read_text("utf-8").strip()


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of the form; empty if it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return {}
    return {name: values[0] for name, values in parse_qs(body.decode("ascii", "replace")).items()}


def hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'


def plain(value: object) -> str:
    """A text as it is; anything else as JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def visible(text: str) -> str:
    """A text for a page: invisible characters are spelled out, and HTML is escaped."""
    lines = text.split("\n")
    return "\n".join(escape(spelled(line, lambda letter: f"<U+{ord(letter):04X}>")) for line in lines)
