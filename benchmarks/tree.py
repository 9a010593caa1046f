"""Print the size of each folder: modules, lines of code, template lines, lines of its tests, words of the docs.

    python -m benchmarks.tree [GIT_REVISION]

Counts the tracked files of a revision (HEAD without one), so that two revisions can be compared.
"""

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
BY_ROOM = {"events", "validators"}
"""Folders that are listed room by room, or game by game."""
COLUMNS = ("modules", "code", "templates", "tests")


@dataclass
class Tree:
    """Each folder's count for each of COLUMNS, and the words of the docs."""

    folders: dict[str, Counter[str]] = field(default_factory=dict)
    doc_words: int = 0
    assurance_words: int = 0

    def add(self, path: PurePosixPath, text: str) -> None:
        """Count one file."""
        parts, lines = path.parts, text.count("\n")
        if path.suffix == ".md":
            words = len(text.split())
            if parts[:2] == ("docs", "assurance"):
                self.assurance_words += words
            else:
                self.doc_words += words
        elif parts[0] == "tests" and path.suffix != ".xz":
            self._count(folder_of(parts[1:]), "tests", lines)
        elif path.suffix == ".py":
            self._count(folder_of(parts), "modules", 1)
            self._count(folder_of(parts), "code", lines)
        elif path.suffix in (".html", ".txt") and "templates" in parts:
            self._count(folder_of(parts), "templates", lines)

    def _count(self, folder: str, column: str, number: int) -> None:
        self.folders.setdefault(folder, Counter())[column] += number


def folder_of(parts: tuple[str, ...]) -> str:
    """The row in which a file is counted. Tests of ``events/desk`` are in ``tests/desk``."""
    if len(parts) == 1:
        return "(top)"
    if parts[0] in BY_ROOM:
        return f"{parts[0]}/{parts[1]}" if len(parts) > 2 else f"{parts[0]}/"
    return f"events/{parts[0]}" if (ROOT / "events" / parts[0]).is_dir() else parts[0]


def tree_of(revision: str) -> Tree:
    """Read all tracked files of a revision with one process."""
    names = git("ls-tree", "-r", "--name-only", revision).decode().splitlines()
    asked = "\n".join(f"{revision}:{name}" for name in names).encode()
    found, rest = Tree(), git("cat-file", "--batch", stdin=asked)
    for name in names:
        head, _, rest = rest.partition(b"\n")
        size = int(head.split()[-1])
        found.add(PurePosixPath(name), rest[:size].decode(errors="replace"))
        rest = rest[size + 1 :]
    return found


def git(*arguments: str, stdin: bytes = b"") -> bytes:
    """The output of a git command in the checkout."""
    return subprocess.run(["git", *arguments], cwd=ROOT, input=stdin, stdout=subprocess.PIPE, check=True).stdout  # noqa: S607


def main() -> None:
    """Print the table."""
    tree = tree_of(sys.argv[1] if len(sys.argv) > 1 else "HEAD")
    print(f"{'':28}" + "".join(f"{column:>11}" for column in COLUMNS))
    for folder, counts in sorted(tree.folders.items()):
        print(f"{folder:28}" + "".join(f"{counts[column] or '':>11}" for column in COLUMNS))
    total = sum(tree.folders.values(), Counter[str]())
    print(f"{'all':28}" + "".join(f"{total[column]:>11}" for column in COLUMNS))
    print(f"docs: {tree.doc_words} words, and {tree.assurance_words} in docs/assurance")


if __name__ == "__main__":
    main()
