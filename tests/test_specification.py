"""What sources cite exists (sections, decisions, ideas, promises), and the picture of the layers is true."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SPECIFICATION = (ROOT / "docs" / "algorithms.md").read_text()
OVERVIEW = (ROOT / "docs" / "how-it-fits.md").read_text()
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]

NUMBERS = re.findall(r"^##+ (\d+(?:\.\d+)?)\.? ", SPECIFICATION, re.MULTILINE)
BOOKS = {  # how something is cited, and what there is to cite
    "algorithms": set(NUMBERS),
    "[Dd]ecisions?": {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")},
    "how-it-fits, promises?": set(re.findall(r"^(\d)\. \*\*", OVERVIEW, re.MULTILINE)),
}
IDEAS = {idea.rstrip(".") for idea in re.findall(r"^\*\*(.+?)\*\*", OVERVIEW, re.MULTILINE)}
FILES = [
    path
    for folder in ("src", "tests", "docs", "benchmarks", "examples")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".md", ".toml"} and path != Path(__file__)
]


def cited(text, book):
    """Numbers after the name of a book, one or several: "algorithms 9.2, 11.2 and 13"."""
    for numbers in re.findall(rf"\b{book} ((?:\d+(?:\.\d+)?(?:, | and )?)+)", text):
        yield from re.findall(r"\d+(?:\.\d+)?", numbers)


def test_several_sections_are_told_apart():
    assert list(cited("(2010; algorithms 9.2, 11.2 and 13). 5", "algorithms")) == ["9.2", "11.2", "13"]


def test_sections_are_numbered_in_order():
    numbers = [tuple(map(int, number.split("."))) for number in NUMBERS]
    assert numbers == sorted(set(numbers))


def test_what_is_cited_exists():
    found = set()
    for path in FILES:
        text = path.read_text()
        for book, contents in BOOKS.items():
            numbers = set(cited(text, book))
            assert numbers <= contents, f"{path.relative_to(ROOT)} cites {book} {numbers - contents}"
            found |= {(book, number) for number in numbers}
        assert set(re.findall(r'how-it-fits, "([^"]+)"', text)) <= IDEAS, path.relative_to(ROOT)
        assert not re.search(r"\bdesign \d", text), f"{path.relative_to(ROOT)}: cite how-it-fits or a decision"
    assert len(found) > 40, "citations are written as the tests read them"


def pictures():
    """The two blocks of the section about layers, as the modules on each line."""
    section = OVERVIEW.split("## The layers")[1]
    for block in re.findall(r"```\n(.*?)```", section, re.DOTALL)[:2]:
        yield [set(re.split(r"\s{2,}", line)[0].split(" | ")) for line in block.splitlines()]


def test_the_picture_of_the_layers_is_the_contract():
    (contract,) = (contract for contract in CONTRACTS if contract["type"] == "layers")
    layers, _ = pictures()
    assert layers == [set(layer.split(" | ")) for layer in contract["layers"]]


def test_the_picture_of_the_families_is_the_contract():
    _, (above, _, shared, *below) = pictures()
    (families,) = (contract for contract in CONTRACTS if "not one another" in contract["name"])
    allowed = [line.split(" -> ") for line in families["ignore_imports"]]
    name = {module: module.removeprefix("waypost.planners.").split(".")[0] for pair in allowed for module in pair}
    assert {name[imported] for importer, imported in allowed if name[importer] == "**"} == shared.union(*below)
    assert {name[importer] for importer, _ in allowed if name[importer] != "**"} == above
    (independent,) = (contract for contract in CONTRACTS if "share knows no family" in contract["name"])
    assert set(independent["modules"]) == {f"waypost.planners.{module}" for module in shared}


def test_modules_that_moved_are_where_the_changelog_says():
    table = (ROOT / "CHANGELOG.md").read_text().split("### Moved modules")[1]
    moved = re.findall(r"^\| `([\w.]+)` \| `([\w.]+)` \|$", table, re.MULTILINE)
    assert len(moved) > 100
    for _, new in moved:
        assert (ROOT / "src" / "waypost" / f"{new.replace('.', '/')}.py").exists(), new
