"""Draw the pictures of docs/planners again, by the commands that the pages themselves show: make pictures"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parent


def commands() -> dict[str, list[str]]:
    """Each picture's name, and the words of the `waypost ... --draw NAME.png` (or --out) that a page shows for it."""
    pages = "\n".join(page.read_text() for page in sorted((DOCS / "planners").glob("*.md")))
    shown = re.findall(r"`(waypost (?:solve [^`]+ --draw|draw [^`]+ --out) \S+\.png)`", pages)
    found = (shlex.split(command) for command in shown)
    return {words[-1]: words for words in found}


def main() -> None:
    """Run every command, with its picture put into docs/images."""
    for name, words in commands().items():
        waypost = Path(sys.executable).with_name(words[0])
        subprocess.run([waypost, *words[1:-1], DOCS / "images" / name], check=True, stdout=subprocess.DEVNULL)
        print(f"Wrote docs/images/{name}")


if __name__ == "__main__":
    main()
