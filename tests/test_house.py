"""The house rules that a machine can check. CONTRIBUTING.md gives the reasons."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from service.commands.main import overseer
from tests.kit import sources
from tests.kit.promises import IDS, ROOT, STATES, TABLES, proven, rows
from tests.kit.sources import CODE_FILES, TEMPLATES, TEST_FILES
from validators import SYSTEMS

LONGEST = 500
VAGUE = {"common", "core", "helper", "helpers", "lib", "manager", "managers", "misc", "shared", "tool", "tools"}
VAGUE |= {"util", "utils", "stuff"}
# In pieces: this file is searched too.
HOSTS = "|".join([
    "py" r"pi\.", "python" "hosted", "npm" r"js\.", "unp" r"kg\.", "js" "delivr", "cdn" "js", "crates" r"\.io",
    "ana" r"conda\.org", "google" "apis", "ghcr" r"\.io", "docker" r"\.io", "/opt/" "py" "pi", "/opt/" "wheels",
])  # fmt: skip
INDEX_OPTIONS = r"--(extra-)?" r"index-url|--find" r"-links|--trusted" r"-host"


def test_the_checks_below_have_files_to_look_at() -> None:
    assert {"app.py", "run", "models/db.py", "events/results/actions.py"} <= set(CODE_FILES)
    assert "tests/test_house.py" in TEST_FILES
    assert "events/web/templates/web/base.html" in TEMPLATES


# ---- what no file says


def test_no_file_names_a_package_host_and_no_lock_an_index() -> None:
    assert sources.found(sources.text_files(), HOSTS, re.IGNORECASE) == []
    assert sources.found([p for p in sources.committed() if p.startswith("requirements")], INDEX_OPTIONS) == []


def test_templates_load_nothing_foreign_hold_nothing_inline_and_have_at_most_140_columns() -> None:
    """What is inline the content security policy would refuse, without a message on the page."""
    assert sources.found(TEMPLATES, r"""(?i)<(script|link|img|iframe)\b[^>]*(src|href)=["'](https?:)?//""") == []
    assert sources.found(TEMPLATES, r"""(?i)\sstyle=|<style\b|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:""") == []
    assert sources.found([path for path in TEMPLATES if path.endswith(".html")], r".{141}") == []


# ---- the locks


def test_every_pin_has_its_hashes() -> None:
    for lock in ("requirements.txt", "requirements-test.txt", "requirements-audit.txt"):
        entries = re.split(r"\n(?=[a-z])", (ROOT / lock).read_text())
        bare = [entry.split("\n")[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry]
        assert bare == []
        assert sources.pins(lock)


def test_the_locks_hold_what_is_asked_for_and_the_tests_run_with_what_is_served() -> None:
    assert sources.pins("requirements.txt").items() <= sources.pins("requirements-test.txt").items()
    assert sources.pins("requirements.txt").items() <= sources.pins("requirements-audit.txt").items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {"requirements.txt": project["dependencies"]}
    for more in ("test", "audit"):
        asked[f"requirements-{more}.txt"] = project["dependencies"] + project["optional-dependencies"][more]
    for lock, wanted in asked.items():
        exact = dict(re.findall(r"^([A-Za-z0-9-]+)(?:\[\w+\])?==([^;\s]+)", "\n".join(wanted), re.MULTILINE))
        assert len(exact) == len(wanted), "every direct dependency is pinned exactly"
        assert exact.items() <= sources.pins(lock).items()


# ---- modules


def test_no_module_has_a_vague_name_and_each_can_be_read_at_once() -> None:
    parts = {path: set(Path(path).with_suffix("").parts) & VAGUE for path in CODE_FILES + TEST_FILES}
    assert {path: vague for path, vague in parts.items() if vague} == {}
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in CODE_FILES}
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}


def test_a_package_file_is_empty_but_for_a_hand_written_list() -> None:
    """The one exception is ``migrations``: Alembic owns that folder's layout."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    for path in CODE_FILES:
        if path.endswith("__init__.py") and path != "migrations/__init__.py":
            body = sources.tree(path).body
            code = [n for n in body if not isinstance(n, allowed) and not (isinstance(n, ast.Expr) and n is body[0])]
            assert [ast.unparse(node)[:60] for node in code] == [], path


def test_a_question_of_who_may_stands_with_its_like_and_once() -> None:
    defined = sources.found(CODE_FILES, r"^(def may_\w+\(visitor: Visitor|may_\w+ = )")
    assert len(defined) > 40
    assert [one for one in defined if not re.match(r"events/accounts/access\.py:", one)] == []
    names = [re.findall(r"may_\w+", one)[0] for one in defined]
    assert sorted(names) == sorted(set(names))


def test_each_decision_has_its_own_number_and_its_replacement_exists() -> None:
    folder = ROOT / "docs/decisions"
    archive = (folder / "archive.md").read_text(encoding="utf-8")
    files = sorted(folder.glob("0*.md"))
    numbers = re.findall(r"^([0-9]{4}) ", archive, re.MULTILINE) + [path.name[:4] for path in files]
    assert len(numbers) == len(set(numbers))
    cited = "".join([archive, *(path.read_text(encoding="utf-8") for path in files)])
    assert set(re.findall(r"\b0[0-9]{3}\b", cited)) <= set(numbers)
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in files if f"({path.name})" not in index] == []


def heading_ids(path: Path) -> set[str]:
    """The anchors of a document: its headings in small letters, without punctuation, with hyphens for spaces."""
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
    for one in sources.found(CODE_FILES + TEST_FILES, r"docs/[a-z_]+\.md"):
        broken += [one for name in re.findall(r"docs/[a-z_]+\.md", one) if not (ROOT / name).exists()]
    assert broken == []


def undocumented(path: str) -> Iterator[str]:
    """The public functions and classes without a docstring; the module itself among them."""
    if ast.get_docstring(sources.tree(path)) is None and sources.tree(path).body:
        yield path
    for node in sources.tree(path).body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield f"{path}:{node.lineno}: {node.name}"


def test_what_is_public_says_what_it_is() -> None:
    assert [one for path in CODE_FILES for one in undocumented(path)] == []


# ---- actions, tests, commands


def test_actions_never_commit_and_never_talk_to_the_visitor() -> None:
    ends = frozenset({"commit", "rollback", "flash"})
    others = [path for path in sources.python_files("events/") if not sources.KNOWS_HTTP.search(path)]
    assert "events/results/actions.py" in others
    assert [f"{path}:{line}: {name}" for path in others for line, name in sources.called(path, ends)] == []
    assert sources.found(others, r"^(from|import) (flask|werkzeug|wtforms|flask_wtf)\b") == []
    assert [name for _, name in sources.called("models/db.py", ends) if name.endswith(".commit")], (
        "the check sees one where it is"
    )


def test_every_flush_says_what_it_is_for() -> None:
    """Nearly always the id that it makes; a flush without a reason is a guess at what the session does."""
    flushes = sources.found(CODE_FILES + TEST_FILES, r"\.flush\(\)\s*(#.*)?$")
    ours = [line for line in flushes if "stdout" not in line and "stderr" not in line]
    assert ours
    assert [line for line in ours if not re.search(r"# \w+( \S+){3,}", line)] == []


MOCKS = {"mock", "unittest.mock", "pytest_mock"}
BANNED = r"monkeypatch\.(setattr|setitem|delattr)|pytest\.(mark\.)?(skip|skipif|xfail|importorskip)|mocker(\.|$)"
LAST_WORDS = frozenset({"setattr", "setitem", "delattr", "skip", "skipif", "xfail", "importorskip", "mocker"})


def test_nothing_is_mocked_or_left_out() -> None:
    for path in TEST_FILES:
        if "mock" in (ROOT / path).read_text(encoding="utf-8"):
            imported = [n for n in ast.walk(sources.tree(path)) if isinstance(n, ast.Import | ast.ImportFrom)]
            modules = {name.name for n in imported for name in n.names}
            modules |= {n.module for n in imported if isinstance(n, ast.ImportFrom) and n.module}
            assert modules & MOCKS == set(), path
        banned = [(line, name) for line, name in sources.called(path, LAST_WORDS) if re.match(BANNED, name)]
        assert banned == [], path


def commands(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """Every command below this one, by the words that call it."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            yield from commands(below, *path, name)


def test_every_command_explains_itself() -> None:
    for words in commands(overseer):
        result = CliRunner().invoke(overseer, [*words, "--help"])
        assert result.exit_code == 0, words
        usage, _, rest = result.output.partition("\n")
        assert usage.startswith("Usage: "), words
        assert len(rest.strip().splitlines()[0]) > 15, f"{words} has no sentence of help"


def test_the_machine_checks_exactly_what_people_check() -> None:
    for path in ("run", ".ci/run"):
        assert path in sources.committed() and os.access(ROOT / path, os.X_OK), path
    lines = [line for line in (ROOT / ".ci/run").read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if line.startswith("exec ")] == ["exec ./run test </dev/null"]


# ---- rules


@cache
def judged_by() -> dict[str, list[str]]:
    """By rule id, the functions whose docstring begins with it (or with several, with commas between them)."""
    named: dict[str, list[str]] = {}
    for path in sources.python_files("validators/", "events/"):
        for node in ast.walk(sources.tree(path)):
            if isinstance(node, ast.FunctionDef) and (said := ast.get_docstring(node)) and ": " in said:
                for id_ in said.split(": ")[0].split(", "):
                    named.setdefault(id_, []).append(f"{path}:{node.name}")
    return named


def test_one_search_for_a_rule_finds_what_judges_it_and_its_text() -> None:
    files = [*(ROOT / path for path in sources.python_files("validators/")), *ROOT.glob("validators/*/data/rules.json")]
    texts = "".join(path.read_text(encoding="utf-8") for path in files)
    rules = [rule for game in SYSTEMS.values() for rule in (*game.checks.rules, *game.checks.event_rules)]
    assert len(rules) > 100
    for rule in rules:
        # What an event adds stands under every game's prefix and is judged once: it is searched for as "event.ban".
        everywhere = re.sub(r"^\w+\.(?=event\.)", "", rule.id)
        said = rule.id if everywhere == rule.id else f"*.{everywhere}"
        assert judged_by().get(said), f'no function says """{said}: ..."""'
        assert f'"{everywhere}"' in texts, rule.id


# ---- promises and the tests behind them


def test_every_promise_is_in_a_table_once_with_its_state() -> None:
    promises = [row for table in TABLES for row in rows(table.read_text(encoding="utf-8"))]
    assert sorted(row.id for row in promises) == sorted(IDS)
    assert [row.id for row in promises if row.state not in STATES] == []
    assert [row.id for row in promises if row.state != "met" and len(row.remark) < 15] == [], "a gap needs its reason"


def test_every_promise_that_is_met_has_a_test() -> None:
    promises = [row for table in TABLES for row in rows(table.read_text(encoding="utf-8"))]
    marked = proven()
    assert sorted(marked - set(IDS)) == []
    assert [row.id for row in promises if row.state in ("met", "partly") and row.id not in marked] == []


@pytest.mark.proves("G8")
def test_a_security_report_has_a_way_a_time_and_versions() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    headings = re.findall("^## (.*)$", policy, re.MULTILINE)
    assert {"Reporting a vulnerability", "Supported versions"} <= set(headings)
    assert all(words in policy for words in ("within 48 hours", "CHANGELOG.md", "newest release"))
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
