"""`make reference`: writes the pages again, the description of the HTTP API, and its types for the page."""

from docsite.reference import http, typescript
from docsite.reference.pages import OPENAPI, PAGES, file, text_of

for name in PAGES:
    file(name).write_text(text_of(name), encoding="utf-8")
OPENAPI.write_text(http.openapi(), encoding="utf-8")
typescript.FILE.write_text(typescript.types(), encoding="utf-8")
