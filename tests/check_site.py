"""The built site: every link leads somewhere in it, and no other host is asked for anything.

python tests/check_site.py build/site
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}
"""What a browser loads by itself; links of the kinds below only name a page."""
ONLY_NAMED = {"canonical", "prev", "next", "alternate", "edit"}
FOREIGN = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//""")


class Page(HTMLParser):
    """The names on a page, what it links to and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element is called and what it refers to."""
        given = {name: value for name, value in attrs if value}
        self.names |= {given[key] for key in ("id", "name") if key in given}
        for key in ("href", "src"):
            if key not in given:
                continue
            if (tag, key) in LOADED and given.get("rel") not in ONLY_NAMED:
                self.loaded.append(given[key])
            self.links.append(given[key])


def faults(site: Path) -> list[str]:
    """One line for everything that is wrong."""
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    found = [] if len(pages) > 50 else [f"the site has only {len(pages)} pages"]
    for page in pages.values():
        where = page.path.relative_to(site)
        found += [f"{where} loads {url}" for url in page.loaded if urlsplit(url).netloc]
        for url in page.links:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc or page.path.name == "404.html":
                continue
            target = page.path.resolve() if not parts.path else (page.path.parent / unquote(parts.path)).resolve()
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                found.append(f"{where} links to {url}, which is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                found.append(f"{where} links to {url}, and the page has no such place")
    sheets = [path for path in site.rglob("*.css") if FOREIGN.search(path.read_text())]
    found += [f"{sheet.name} loads from another host" for sheet in sheets]
    return sorted(set(found))


if __name__ == "__main__":
    wrong = faults(Path(sys.argv[1]))
    print("\n".join(wrong) or "The site is whole, and asks no other host for anything.")
    sys.exit(bool(wrong))
