"""`make reference`: writes the pages again, and the description of the HTTP API."""

from docsite.reference import http
from docsite.reference.pages import OPENAPI, PAGES, file, text_of

for name in PAGES:
    file(name).write_text(text_of(name), encoding="utf-8")
OPENAPI.write_text(http.openapi(), encoding="utf-8")
