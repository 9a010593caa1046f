"""The house rules that a machine can check. CONTRIBUTING.md gives the reasons."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from service.commands.main import overseer
from tests.kit import sources
from tests.kit.promises import IDS, ROOT, STATES, TABLES, Row, proven, rows
from tests.kit.sources import CODE_FILES, TEMPLATES, TEST_FILES
from validators import SYSTEMS

VAGUE = {"common", "core", "helper", "helpers", "lib", "manager", "managers", "misc", "shared", "tool", "tools"}
VAGUE |= {"util", "utils", "stuff"}
# In pieces, because this file is searched too. The fcm one is Chrome's push service.
HOSTS = "|".join([
    "py" r"pi\.", "python" "hosted", "npm" r"js\.", "unp" r"kg\.", "js" "delivr", "cdn" "js", "crates" r"\.io",
    "ana" r"conda\.org", r"(?<!fcm\.)" "google" "apis", "ghcr" r"\.io", "docker" r"\.io",
    "/opt/" "py" "pi", "/opt/" "wheels",
])  # fmt: skip
INDEX_OPTIONS = r"--(extra-)?" r"index-url|--find" r"-links|--trusted" r"-host"


def test_lists_of_files_hold_known_files() -> None:
    assert {"app.py", "run", "models/db.py", "events/results/actions.py"} <= set(CODE_FILES)
    assert "tests/test_house.py" in TEST_FILES
    assert "events/web/templates/web/base.html" in TEMPLATES


WORDED = {"gettext", "ngettext", "pgettext", "worded", "labelled"}
PARTED = {"startswith", "endswith", "removeprefix", "removesuffix", "find", "index"}


def is_worded(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDED


def decides_by_words(code: str) -> list[str]:
    """Where code compares a text in the reader's language, or looks for it in another."""
    found = []
    for node in ast.walk(ast.parse(code)):
        compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PARTED:
            compared = [node.func.value, *node.args]
        found += [ast.unparse(node)] if any(map(is_worded, compared)) else []
    return found


def test_nothing_is_decided_by_the_words_of_a_sentence() -> None:
    for code in ('label != gettext("Points")', 'fault.startswith(gettext("the file"))', "worded(one) in names"):
        assert decides_by_words(code) == [code.replace('"', "'")], "the control"
    texts = {path: (ROOT / path).read_text() for path in CODE_FILES}
    assert {path: found for path in texts if (found := decides_by_words(texts[path]))} == {}


def test_no_file_names_a_package_host_or_index() -> None:
    named = re.compile(HOSTS.encode(), re.IGNORECASE)
    files = {path: (ROOT / path).read_bytes() for path in sources.committed()}
    suspects = [path for path, data in files.items() if b"\0" not in data and named.search(data)]
    assert sources.found(suspects, HOSTS, re.IGNORECASE) == []
    assert sources.found([p for p in sources.committed() if p.startswith("requirements")], INDEX_OPTIONS) == []


def test_templates_have_no_foreign_or_inline_code_and_no_long_lines() -> None:
    """Browsers refuse inline code by the content security policy, without a message on the page."""
    assert sources.found(TEMPLATES, r"""(?i)<(script|link|img|iframe)\b[^>]*(src|href)=["'](https?:)?//""") == []
    assert sources.found(TEMPLATES, r"""(?i)\sstyle=|<style\b|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:""") == []
    assert sources.found([path for path in TEMPLATES if path.endswith(".html")], r".{141}") == []
    others = [path for path in TEMPLATES if not path.endswith("web/_ui.html")]
    assert sources.found(others, r"csrf_token\(\)") == [], "the macros of web/_ui.html write the token"


KIND_ASKED = {r"EventFormat\.|RoundKind\.": 9, r"is_team_event|event\.team_size": 32}
"""How many files of rooms may ask for an event's format or whether it is of teams; others ask its stage."""


@pytest.mark.parametrize(("question", "most"), KIND_ASKED.items())
def test_few_files_ask_what_kind_an_event_is(question: str, most: int) -> None:
    rooms = [path for path in (*CODE_FILES, *TEMPLATES) if path.startswith("events/")]
    asking = [path for path in rooms if re.search(question, (ROOT / path).read_text(encoding="utf-8"))]
    assert len(asking) <= most, "\n".join(asking)


def test_sentences_of_templates_keep_the_space_between_them() -> None:
    """Before another tag, "endtrans +%}" keeps the line's end, which trim_blocks takes: else ".Next" is shown."""
    glued = re.compile(r"endtrans(?: %\}[^\n]*\{% \w[^\n{}+-]*)? %\}\n *\{% ")
    pages = [path for path in TEMPLATES if path.endswith(".html")]
    assert [path for path in pages if glued.search((ROOT / path).read_text(encoding="utf-8"))] == []


def test_times_have_one_form_also_in_scripts() -> None:
    """ "4 Dec, 09:30": no leading zero, a comma before the time, 24 hours, in the event's zone."""
    shown = [
        path for path in sources.committed() if path.startswith("events/") and path.endswith((".py", ".html", ".js"))
    ]
    assert (
        sources.found(shown, r"%d %[bB](?! %Y %H:%M:%S \+0000)|%[aAbBY] at %H|%[bBY] %H(?!:%M:%S \+)|%I|toLocale") == []
    )


def test_every_pin_has_its_hashes() -> None:
    for lock in ("requirements.txt", "requirements-test.txt", "requirements-audit.txt"):
        entries = re.split(r"\n(?=[a-z])", (ROOT / lock).read_text())
        bare = [entry.split("\n")[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry]
        assert bare == []
        assert sources.pins(lock)


def test_locks_pin_direct_dependencies_and_agree_with_each_other() -> None:
    assert sources.pins("requirements.txt").items() <= sources.pins("requirements-test.txt").items()
    assert sources.pins("requirements.txt").items() <= sources.pins("requirements-audit.txt").items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    direct = {"requirements.txt": project["dependencies"]}
    for more in ("test", "audit"):
        direct[f"requirements-{more}.txt"] = project["dependencies"] + project["optional-dependencies"][more]
    for lock, wanted in direct.items():
        exact = dict(re.findall(r"^([A-Za-z0-9-]+)(?:\[\w+\])?==([^;\s]+)", "\n".join(wanted), re.MULTILINE))
        assert len(exact) == len({one.partition(";")[0] for one in wanted}), "every direct dependency is pinned exactly"
        assert exact.items() <= sources.pins(lock).items()


def test_modules_have_clear_names() -> None:
    parts = {path: set(Path(path).with_suffix("").parts) & VAGUE for path in CODE_FILES + TEST_FILES}
    assert {path: vague for path, vague in parts.items() if vague} == {}


def test_init_files_are_empty_except_for_lists() -> None:
    """Except in ``migrations``: Alembic requires code there."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    for path in CODE_FILES:
        if path.endswith("__init__.py") and path != "migrations/__init__.py":
            body = sources.tree(path).body
            code = [n for n in body if not isinstance(n, allowed) and not (isinstance(n, ast.Expr) and n is body[0])]
            assert [ast.unparse(node)[:60] for node in code] == [], path


def test_permission_functions_are_in_access_and_have_different_names() -> None:
    defined = sources.found(CODE_FILES, r"^(def may_\w+\(visitor: Visitor|may_\w+ = )")
    assert len(defined) > 40
    assert [text for text in defined if not re.match(r"events/visitors/access\.py:", text)] == []
    names = [re.findall(r"may_\w+", text)[0] for text in defined]
    assert sorted(names) == sorted(set(names))


def test_each_decision_has_its_own_number_and_a_line_in_the_index() -> None:
    folder = ROOT / "docs/decisions"
    files = sorted(folder.glob("0*.md"))
    numbers = [path.name[:4] for path in files]
    assert len(numbers) == len(set(numbers))
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in files if f"({path.name})" not in index] == []


def heading_ids(path: Path) -> set[str]:
    """The anchors of a document: its headings in lower case, without punctuation, with hyphens for spaces."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_documents_resolve() -> None:
    broken = []
    for path in [*ROOT.glob("*.md"), *ROOT.glob("deploy/**/*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)\s:]+)\)", path.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            linked = path.parent / name if name else path
            if not linked.exists() or (anchor and anchor not in heading_ids(linked)):
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    for text in sources.found(CODE_FILES + TEST_FILES, r"docs/[a-z_]+\.md"):
        broken += [text for name in re.findall(r"docs/[a-z_]+\.md", text) if not (ROOT / name).exists()]
    assert broken == []


def test_each_file_says_what_it_is_about() -> None:
    """A function or a class has a docstring where its name cannot say it: units, errors, a source, a trap."""
    trees = {path: sources.tree(path) for path in CODE_FILES}
    assert [path for path, tree in trees.items() if tree.body and ast.get_docstring(tree) is None] == []


def test_rooms_ask_the_store_for_games() -> None:
    """A club's own game is none that ships: only labels of what ships are made without asking for it."""
    named = sources.found(sources.python_files("events/", "models/", "pdf/"), r"^from validators import .*SYSTEMS")
    assert {text.split(":")[0] for text in named} == {"events/journal/setting_words.py", "events/store/editions.py"}


def test_actions_neither_commit_nor_flash_messages() -> None:
    ends = frozenset({"commit", "rollback", "flash"})
    others = [path for path in sources.python_files("events/") if not sources.KNOWS_HTTP.search(path)]
    assert "events/results/actions.py" in others
    assert [f"{path}:{line}: {name}" for path in others for line, name in sources.called(path, ends)] == []
    assert sources.found(others, r"^(from|import) (flask|werkzeug|wtforms|flask_wtf)\b") == []
    assert [name for _, name in sources.called("models/db.py", ends) if name.endswith(".commit")], "the control"


def test_every_flush_has_a_comment_with_its_reason() -> None:
    """Nearly always it is the new row's id."""
    flushes = sources.found(CODE_FILES + TEST_FILES, r"\.flush\(\)\s*(#.*)?$")
    ours = [line for line in flushes if "stdout" not in line and "stderr" not in line]
    assert ours
    assert [line for line in ours if not re.search(r"# \w+( \S+){3,}", line)] == []


MOCKS = {"mock", "unittest.mock", "pytest_mock"}
BANNED = r"monkeypatch\.(setattr|setitem|delattr)|pytest\.(mark\.)?(skip|skipif|xfail|importorskip)|mocker(\.|$)"
LAST_WORDS = frozenset({"setattr", "setitem", "delattr", "skip", "skipif", "xfail", "importorskip", "mocker"})


def test_nothing_is_mocked_or_skipped() -> None:
    for path in TEST_FILES:
        if "mock" in (ROOT / path).read_text(encoding="utf-8"):
            imported = [n for n in sources.nodes(path) if isinstance(n, ast.Import | ast.ImportFrom)]
            modules = {name.name for n in imported for name in n.names}
            modules |= {n.module for n in imported if isinstance(n, ast.ImportFrom) and n.module}
            assert modules & MOCKS == set(), path
        banned = [(line, name) for line, name in sources.called(path, LAST_WORDS) if re.match(BANNED, name)]
        assert banned == [], path


def commands(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            yield from commands(below, *path, name)


def test_every_command_has_help() -> None:
    for words in commands(overseer):
        result = CliRunner().invoke(overseer, [*words, "--help"])
        assert result.exit_code == 0, words
        usage, _, rest = result.output.partition("\n")
        assert usage.startswith("Usage: "), words
        assert len(rest.strip().splitlines()[0]) > 15, f"{words} has no sentence of help"


def test_each_rule_id_is_found_at_its_check_and_its_text() -> None:
    files = [*(ROOT / path for path in sources.python_files("validators/")), *ROOT.glob("validators/*/data/rules.json")]
    texts = "".join(path.read_text(encoding="utf-8") for path in files)
    rules = [rule for game in SYSTEMS.values() for rule in (*game.checks.rules, *game.checks.event_rules)]
    assert len(rules) > 100
    functions = (
        node
        for path in sources.python_files("validators/", "events/")
        for node in sources.nodes(path)
        if isinstance(node, ast.FunctionDef)
    )
    docstrings = (ast.get_docstring(function) or "" for function in functions)
    checked = {id_ for said in docstrings if ": " in said for id_ in said.split(": ")[0].split(", ")}
    for rule in rules:
        # An event's added rule has an id for each game ("battle_mode.event.ban") but one check ("*.event.ban").
        everywhere = re.sub(r"^\w+\.(?=event\.)", "", rule.id)
        said = rule.id if everywhere == rule.id else f"*.{everywhere}"
        assert said in checked, f'no function says """{said}: ..."""'
        assert f'"{everywhere}"' in texts, rule.id


def promises() -> list[Row]:
    return [row for table in TABLES for row in rows(table.read_text(encoding="utf-8"))]


def test_every_promise_is_in_one_table_with_its_state() -> None:
    assert sorted(row.id for row in promises()) == sorted(IDS)
    assert [row.id for row in promises() if row.state not in STATES] == []
    assert [row.id for row in promises() if row.state != "met" and len(row.remark) < 15] == [], "a gap needs its reason"


def test_every_kept_promise_has_a_test() -> None:
    marked = proven()
    assert sorted(marked - set(IDS)) == []
    assert [row.id for row in promises() if row.state in ("met", "partly") and row.id not in marked] == []


@pytest.mark.proves("G8")
def test_security_policy_names_channel_deadline_and_versions() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert {"Reporting a vulnerability", "Supported versions"} <= set(re.findall("^## (.*)$", policy, re.MULTILINE))
    assert all(words in policy for words in ("within 48 hours", "CHANGELOG.md", "newest release"))
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
