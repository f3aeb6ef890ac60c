"""Pages link to files beside docs/, as they do on a code host: in the site these files are pages as well.

Markdown is shown as it is, anything else as its text. What such a page links to is brought along likewise, so that the
site is whole without a network, and needs no address of a repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PLACE = "project"
# On a code host a reader opens these from the list of files: here nothing else leads to them.
FIRST = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
LANGUAGES = {".py": "python", ".json": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".sh": "bash"}
_FENCE = re.compile(r"^( *`{3,}).*?^\1 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of docs/, and those beside it that they lead to."""
    seen: set[Path] = set()
    waiting = [ROOT / name for name in FIRST]
    waiting += [DOCS / file.src_uri for file in files.documentation_pages()]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if DOCS not in path.parents:
            files.append(File.generated(config, uri_of(path), content=_content(path)))
        if path.suffix == ".md":
            waiting += [target for target in _targets(path) if target.is_file() and DOCS not in target.parents]
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """The page with its links leading to where the files are in the site."""
    source = source_of(page.file.src_uri)
    return "".join(part if fenced else relinked(part, source, page.file.src_uri) for part, fenced in _parts(markdown))


def relinked(text: str, source: Path, uri: str) -> str:
    """Text of a file, as it must be at this place of the site."""

    def link(found: re.Match[str]) -> str:
        target = (source.parent / found["target"]).resolve()
        if target.is_dir():  # a code host shows a folder, a site has none to show
            return found["text"]
        if not target.is_file() or ROOT not in target.parents:
            return found[0]  # MkDocs says that it leads nowhere
        return f"[{found['text']}]({relpath(uri_of(target), Path(uri).parent)}{found['anchor'] or ''})"

    return _LINK.sub(link, text)


def uri_of(path: Path) -> str:
    """Where a file of the project stands in the site."""
    if DOCS in path.parents:
        return path.relative_to(DOCS).as_posix()
    name = path.relative_to(ROOT).as_posix()
    return f"{PLACE}/{name}" if path.suffix == ".md" else f"{PLACE}/{name}.md"


def source_of(uri: str) -> Path:
    """The file that a page of the site was made from."""
    name = uri.removeprefix(f"{PLACE}/")
    if name == uri:
        return DOCS / uri
    whole = ROOT / name
    return whole if whole.exists() else whole.with_suffix("")


def _content(path: Path) -> str:
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        return text
    language = LANGUAGES.get(path.suffix, "text")
    name = path.relative_to(ROOT).as_posix()
    return f"---\nsearch:\n  exclude: true\n---\n\n# {name}\n\n`````{language}\n{text}\n`````\n"


def _targets(path: Path) -> Iterator[Path]:
    for part, fenced in _parts(path.read_text("utf-8")):
        if not fenced:
            for found in _LINK.finditer(part):
                target = (path.parent / found["target"]).resolve()
                if ROOT in target.parents:
                    yield target


def _parts(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text between fences, and the fences, which are left as they are."""
    end = 0
    for fence in _FENCE.finditer(markdown):
        yield markdown[end : fence.start()], False
        yield fence[0], True
        end = fence.end()
    yield markdown[end:], False
