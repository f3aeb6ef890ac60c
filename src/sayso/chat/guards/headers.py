"""Security headers of every response: only our own files may load.

No inline scripts or styles, no frames and no other origins are allowed. Trusted Types prevent text from being inserted
as HTML. The microphone is allowed for dictation.
"""

from __future__ import annotations

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "font-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
}
_FEATURES = ("camera", "display-capture", "geolocation", "payment", "usb", "browsing-topics")
STRICT = {
    "Content-Security-Policy": "; ".join(f"{name} {allowed}" for name, allowed in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(["microphone=(self)", *(f"{feature}=()" for feature in _FEATURES)]),
}
