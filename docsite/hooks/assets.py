"""What the pages need and does not lie in docs/: the page's own mark, and mermaid, which draws the diagrams.

The theme would fetch mermaid from another host. It is brought here instead (`make site` fetches it once, by its hash),
and loaded by the pages that have a diagram, before the theme looks for it.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).parents[2]
MARK = ROOT / "web" / "public" / "icon.svg"
DRAWS = ROOT / "build" / "mermaid" / "mermaid.min.js"
DRAWN = '<pre class="mermaid">'
PLACE = "assets/mermaid.min.js"
SCRIPTS = (PLACE, "assets/diagrams.js")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with those that lie elsewhere."""
    if not DRAWS.exists():
        raise PluginError(f"{DRAWS.relative_to(ROOT)} is missing: build the site with `make site`, which fetches it")
    files.append(File.generated(config, "assets/icon.svg", abs_src_path=str(MARK)))
    files.append(File.generated(config, PLACE, abs_src_path=str(DRAWS)))
    return files


def on_post_page(output: str, page: Page, **_: object) -> str:
    """A page with a diagram loads what draws it."""
    if DRAWN not in output:
        return output
    scripts = "".join(f'<script src="{get_relative_url(one, page.url)}"></script>' for one in SCRIPTS)
    return output.replace("</head>", f"{scripts}</head>", 1)
