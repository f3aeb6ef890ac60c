"""Security headers of every response: only our own files may load.

No inline script or style, no frame, no other origin; texts become part of the page as texts alone. The microphone is
for dictation.
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
