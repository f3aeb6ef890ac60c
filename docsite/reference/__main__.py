"""`make reference`: writes the pages anew."""

from docsite.reference.pages import PAGES, file

for name, text in PAGES.items():
    file(name).write_text(text(), encoding="utf-8")
