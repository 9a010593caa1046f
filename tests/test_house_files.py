"""The house rules on files by subject: what a file imports, how it is named and how long it is."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

import networkx

from tests.kit import sources
from tests.kit.promises import ROOT
from tests.kit.sources import CODE_FILES, TEST_FILES

FILES = CODE_FILES + TEST_FILES
EVENTS = [path for path in CODE_FILES if path.startswith("events/")]
LONGEST = 450
"""The lines of a file; its subject decides, and a longer one has seldom only one."""
REASON = r"More than 450 lines because \w+( \S+){3,}"
"""The sentence of a module's docstring that excuses its length."""


def assert_none(exceptions: Iterable[str]) -> None:
    found = sorted(exceptions)
    assert not found, "\n".join(["these break the rule:", *found])


# what a file imports


def module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES = {module(path): path for path in FILES}


@cache
def imports(path: str) -> tuple[tuple[str, str], ...]:
    """Our files that a file imports, anywhere in it, each with the name it takes ("" for the module itself)."""
    taken = []
    for node in sources.nodes(path):
        if isinstance(node, ast.Import):
            taken += [(MODULES[name.name], "") for name in node.names if name.name in MODULES]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            for name in node.names:
                if (inner := f"{node.module}.{name.name}") in MODULES:
                    taken.append((MODULES[inner], ""))
                elif node.module in MODULES:
                    taken.append((MODULES[node.module], name.name))
    return tuple(taken)


def test_files_do_not_import_each_other_in_a_circle() -> None:
    """An import in a function or for type checkers alone counts too."""
    graph = networkx.DiGraph((path, other) for path in FILES for other, _ in imports(path))
    assert graph.number_of_edges() > 1000
    circles = [circle for circle in networkx.strongly_connected_components(graph) if len(circle) > 1]
    inside = {(a, b) for circle in circles for a, b in graph.subgraph(circle).edges}
    assert_none((f"{a} imports {b}" for a, b in inside))


def test_no_view_module_imports_a_view_module() -> None:
    views = [path for path in EVENTS if path.endswith("views.py")]
    assert len(views) > 30
    taken = ((path, other) for path in views for other, _ in imports(path) if other in views)
    assert_none((f"{path} imports {other}" for path, other in taken))


def private(path: str) -> Iterator[str]:
    """The private names of other files that a file imports or reaches as ``module._name``."""
    bound = set()
    for node in sources.nodes(path):
        if isinstance(node, ast.ImportFrom):
            bound |= {name.asname or name.name for name in node.names if f"{node.module}.{name.name}" in MODULES}
            yield from (f"{path}: {name.name}" for name in node.names if re.match("_[a-z]", name.name.lower()))
        elif isinstance(node, ast.Import):
            bound |= {name.asname or name.name for name in node.names if name.name in MODULES}
    for node in sources.nodes(path):
        if isinstance(node, ast.Attribute) and re.match("_[A-Za-z]", node.attr) and ast.unparse(node.value) in bound:
            yield f"{path}: {ast.unparse(node)}"


def test_no_file_uses_a_private_name_of_another() -> None:
    assert_none(text for path in FILES for text in private(path))


# how a file is laid out


def test_no_file_is_divided_by_section_rules() -> None:
    """A file that needs sections is about more than one thing."""
    assert_none(found.split(":")[0] for found in sources.found(FILES, r"^\s*# ?[-=#~]{3,}"))


def test_each_file_has_one_docstring() -> None:
    """A string after an assignment describes the assigned name; any other would be a second docstring."""
    extra = []
    for path in FILES:
        body = sources.tree(path).body
        for before, node in pairwise(body):
            is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if is_text and not isinstance(before, ast.Assign | ast.AnnAssign):
                extra.append(f"{path}:{node.lineno}")
    assert extra == []


def test_long_files_give_a_reason() -> None:
    long = [path for path in CODE_FILES if len((ROOT / path).read_text(encoding="utf-8").splitlines()) > LONGEST]
    said = {path: " ".join((ast.get_docstring(sources.tree(path)) or "").split()) for path in long}
    assert_none(path for path in long if not re.search(REASON, said[path]))


# how things are named


def test_forms_are_in_files_of_forms() -> None:
    classes = [(path, node) for path in EVENTS for node in sources.nodes(path) if isinstance(node, ast.ClassDef)]
    forms = {"FlaskForm", "Form"}
    while more := {n.name for _, n in classes if forms & {ast.unparse(b).split(".")[-1] for b in n.bases}} - forms:
        forms |= more
    assert {"ReportForm", "RegisterForm"} <= forms
    assert_none((path for path, node in classes if node.name in forms and not path.endswith("forms.py")))


def blueprints() -> Iterator[tuple[str, str]]:
    for path in EVENTS:
        for node in sources.nodes(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Blueprint":
                yield path, ast.literal_eval(node.args[0])


def test_each_blueprint_is_named_like_its_file() -> None:
    """That of ``views.py`` like its room, that of ``draft_views.py`` "draft".

    Where two rooms have a file of the same name the room comes first: "lists_desk".
    """
    stems = {path: re.sub(r"_?views$", "", path.split("/")[-1].removesuffix(".py")) for path, _ in blueprints()}
    topics = Counter(stem or path.split("/")[1] for path, stem in stems.items())
    assert len(topics) > 30
    wanted = {}
    for path, stem in stems.items():
        room = path.split("/")[1]
        wanted[path] = f"{room}_{stem}" if topics[stem] > 1 else stem or room
    wrong = ((path, name) for path, name in blueprints() if name != wanted[path])
    assert_none((f"{path}: {name}, not {wanted[path]}" for path, name in wrong))
