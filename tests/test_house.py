"""The house rules that a machine can check. CONTRIBUTING.md gives the reasons."""

import ast
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from service.commands.main import overseer
from tests.kit.promises import IDS, STATES, TABLES, proofs, rows
from validators import SYSTEMS

ROOT = Path(__file__).parents[1]
CODE = ("app.py", "events/", "migrations/", "models/", "pdf/", "service/", "validators/", "run")
LONGEST = 500
VAGUE = {"common", "core", "helper", "helpers", "lib", "manager", "managers", "misc", "shared", "tool", "tools"}
VAGUE |= {"util", "utils", "stuff"}
# In pieces: this file is searched too.
HOSTS = "|".join([
    "py" r"pi\.", "python" "hosted", "npm" r"js\.", "unp" r"kg\.", "js" "delivr", "cdn" "js", "crates" r"\.io",
    "ana" r"conda\.org", "google" "apis", "ghcr" r"\.io", "docker" r"\.io", "/opt/" "py" "pi", "/opt/" "wheels",
])  # fmt: skip
INDEX_OPTIONS = r"--(extra-)?" r"index-url|--find" r"-links|--trusted" r"-host"


@cache
def committed() -> tuple[str, ...]:
    """Every file of the checkout that git knows, by its path from the top."""
    # The option: a checkout may belong to somebody else than who tests it.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return tuple(path for path in listed if path and (ROOT / path).is_file())


def python_files(*under: str) -> list[str]:
    """The Python among them, in these folders or with these names."""
    return [p for p in committed() if p.startswith(under) and (p.endswith(".py") or p == "run")]


CODE_FILES = [p for p in python_files(*CODE) if not p.startswith("migrations/versions/")]
TEST_FILES = python_files("tests/")
TEMPLATES = [p for p in committed() if re.match("events/[a-z]+/templates/", p)]


@cache
def tree(path: str) -> ast.Module:
    """The file, parsed."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), path)


def called(path: str, last: frozenset[str] = frozenset()) -> Iterator[tuple[int, str]]:
    """The line and the dotted name of everything that a file names or calls, e.g. ``pytest.mark.skip``.

    ``last``: only of what ends with one of these words.
    """
    if last and not any(word in (ROOT / path).read_text(encoding="utf-8") for word in last):
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name | ast.Attribute):
            word = node.id if isinstance(node, ast.Name) else node.attr
            if not last or word in last:
                yield node.lineno, ast.unparse(node)


def found(paths: list[str], pattern: str, flags: int = 0) -> list[str]:
    """Where the pattern stands, as ``path:line: text``."""
    return [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line, flags)
    ]


def text_files() -> list[str]:
    """The committed files that are text."""
    return [path for path in committed() if b"\0" not in (ROOT / path).read_bytes()]


def test_the_checks_below_have_files_to_look_at() -> None:
    assert {"app.py", "run", "models/db.py", "events/results/actions.py"} <= set(CODE_FILES)
    assert "tests/test_house.py" in TEST_FILES
    assert "events/web/templates/web/base.html" in TEMPLATES


# ---- what no file says


def test_no_file_names_a_package_host() -> None:
    assert found(text_files(), HOSTS, re.IGNORECASE) == []


def test_the_locks_choose_no_index() -> None:
    assert found([p for p in committed() if p.startswith("requirements")], INDEX_OPTIONS) == []


def test_nothing_of_a_foreign_origin_is_loaded_by_a_page() -> None:
    assert found(TEMPLATES, r"""(?i)<(script|link|img|iframe)\b[^>]*(src|href)=["'](https?:)?//""") == []


def test_templates_hold_no_inline_style_or_script() -> None:
    """The content security policy would refuse them, without a message on the page."""
    assert found(TEMPLATES, r"""(?i)\sstyle=|<style\b|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:""") == []


def test_template_lines_have_at_most_140_columns() -> None:
    assert found([path for path in TEMPLATES if path.endswith(".html")], r".{141}") == []


# ---- the locks


def pins(lock: str) -> dict[str, str]:
    """The version of each package in a lock file."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE))


def test_every_pin_has_its_hashes() -> None:
    for lock in ("requirements.txt", "requirements-test.txt", "requirements-audit.txt"):
        entries = re.split(r"\n(?=[a-z])", (ROOT / lock).read_text())
        bare = [entry.split("\n")[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry]
        assert bare == []
        assert pins(lock)


def test_the_tests_run_with_the_versions_that_are_served() -> None:
    assert pins("requirements.txt").items() <= pins("requirements-test.txt").items()
    assert pins("requirements.txt").items() <= pins("requirements-audit.txt").items()


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {"requirements.txt": project["dependencies"]}
    for more in ("test", "audit"):
        asked[f"requirements-{more}.txt"] = project["dependencies"] + project["optional-dependencies"][more]
    for lock, wanted in asked.items():
        exact = dict(re.findall(r"^([A-Za-z0-9-]+)(?:\[\w+\])?==([^;\s]+)", "\n".join(wanted), re.MULTILINE))
        assert len(exact) == len(wanted), "every direct dependency is pinned exactly"
        assert exact.items() <= pins(lock).items()


# ---- modules


def test_no_module_has_a_vague_name() -> None:
    parts = {path: set(Path(path).with_suffix("").parts) & VAGUE for path in CODE_FILES + TEST_FILES}
    assert {path: vague for path, vague in parts.items() if vague} == {}


def test_a_file_stays_short_enough_to_be_read_at_once() -> None:
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in CODE_FILES}
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}


def test_a_package_file_is_empty_but_for_a_hand_written_list() -> None:
    """The one exception is ``migrations``: Alembic owns that folder's layout."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    for path in CODE_FILES:
        if path.endswith("__init__.py") and path != "migrations/__init__.py":
            body = tree(path).body
            code = [n for n in body if not isinstance(n, allowed) and not (isinstance(n, ast.Expr) and n is body[0])]
            assert [ast.unparse(node)[:60] for node in code] == [], path


def test_a_question_of_who_may_stands_with_its_like_and_once() -> None:
    defined = found(CODE_FILES, r"^def may_\w+\(visitor: Visitor")
    assert len(defined) > 40
    assert [one for one in defined if not re.match(r"events/accounts/access\.py:", one)] == []
    names = [one.split("def ")[1].split("(")[0] for one in defined]
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
    for one in found(CODE_FILES + TEST_FILES, r"docs/[a-z_]+\.md"):
        broken += [one for name in re.findall(r"docs/[a-z_]+\.md", one) if not (ROOT / name).exists()]
    assert broken == []


def test_annotations_are_not_postponed() -> None:
    """SQLModel reads them at run time."""
    assert found(CODE_FILES + TEST_FILES, r"^\s*from __future__ import") == []


def undocumented(path: str) -> Iterator[str]:
    """The public functions and classes without a docstring; the module itself among them."""
    if ast.get_docstring(tree(path)) is None and tree(path).body:
        yield path
    for node in tree(path).body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield f"{path}:{node.lineno}: {node.name}"


def test_what_is_public_says_what_it_is() -> None:
    assert [one for path in CODE_FILES for one in undocumented(path)] == []


# ---- actions, tests, commands


KNOWS_HTTP = re.compile(
    r"/web/|views\.py$|forms\.py$|/accounts/(loading|attempts|staff_routes)\.py$|/messages/delivery\.py$|/(rooms|template_globals)\.py$"
)


def test_actions_never_commit_and_never_talk_to_the_visitor() -> None:
    ends = frozenset({"commit", "rollback", "flash"})
    others = [path for path in python_files("events/") if not KNOWS_HTTP.search(path)]
    assert "events/results/actions.py" in others
    assert [f"{path}:{line}: {name}" for path in others for line, name in called(path, ends)] == []
    assert found(others, r"^(from|import) (flask|werkzeug|wtforms|flask_wtf)\b") == []
    assert [name for _, name in called("models/db.py", ends) if name.endswith(".commit")], (
        "the check sees one where it is"
    )


def test_every_flush_says_what_it_is_for() -> None:
    """Nearly always the id that it makes; a flush without a reason is a guess at what the session does."""
    flushes = found(CODE_FILES + TEST_FILES, r"\.flush\(\)\s*(#.*)?$")
    ours = [line for line in flushes if "stdout" not in line and "stderr" not in line]
    assert ours
    assert [line for line in ours if not re.search(r"# \w+( \S+){3,}", line)] == []


MOCKS = {"mock", "unittest.mock", "pytest_mock"}
BANNED = r"monkeypatch\.(setattr|setitem|delattr)|pytest\.(mark\.)?(skip|skipif|xfail|importorskip)|mocker(\.|$)"
LAST_WORDS = frozenset({"setattr", "setitem", "delattr", "skip", "skipif", "xfail", "importorskip", "mocker"})


def test_nothing_is_mocked_or_left_out() -> None:
    for path in TEST_FILES:
        if "mock" in (ROOT / path).read_text(encoding="utf-8"):
            imported = [n for n in ast.walk(tree(path)) if isinstance(n, ast.Import | ast.ImportFrom)]
            modules = {name.name for n in imported for name in n.names}
            modules |= {n.module for n in imported if isinstance(n, ast.ImportFrom) and n.module}
            assert modules & MOCKS == set(), path
        banned = [(line, name) for line, name in called(path, LAST_WORDS) if re.match(BANNED, name)]
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


def test_scripts_are_executable() -> None:
    for path in ("run", ".ci/run"):
        assert path in committed()
        assert os.access(ROOT / path, os.X_OK), path


def test_the_machine_checks_exactly_what_people_check() -> None:
    lines = [line for line in (ROOT / ".ci/run").read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if line.startswith("exec ")] == ["exec ./run test </dev/null"]


# ---- rules


@cache
def judged_by() -> dict[str, list[str]]:
    """By rule id, the functions whose docstring begins with it (or with several, with commas between them)."""
    named: dict[str, list[str]] = {}
    for path in python_files("validators/", "events/"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef) and (said := ast.get_docstring(node)) and ": " in said:
                for id_ in said.split(": ")[0].split(", "):
                    named.setdefault(id_, []).append(f"{path}:{node.name}")
    return named


def test_one_search_for_a_rule_finds_what_judges_it_and_its_text() -> None:
    files = [*(ROOT / path for path in python_files("validators/")), *ROOT.glob("validators/*/data/rules.json")]
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    rules = [rule for game in SYSTEMS.values() for rule in (*game.checks.rules, *game.checks.event_rules)]
    assert len(rules) > 100
    for rule in rules:
        # What an event adds stands under every game's prefix and is judged once: it is searched for as "event.ban".
        everywhere = re.sub(r"^\w+\.(?=event\.)", "", rule.id)
        said = rule.id if everywhere == rule.id else f"*.{everywhere}"
        assert judged_by().get(said), f'no function says """{said}: ..."""'
        assert f'"{everywhere}"' in sources, rule.id


# ---- nothing passes the journal by

WRITERS = (
    "models/db.py",
    "models/capture.py",
    "models/captured.py",
    "models/copies.py",
    "service/lock.py",  # commits no rows, only ends the transaction in which it took its lock
)
"""The door, and what stores the journal behind it."""
STATEMENTS = {"sqlalchemy": {"delete", "insert", "update"}, "sqlmodel": {"delete", "insert", "update"}}
PAST_THE_SESSION = ("commit", "exec_driver_sql", "begin_nested", "merge", "begin", "raw_connection", "query")
CHANGES = r"\s*(insert|update|delete|replace|merge|truncate|with)\b"
DRIVERS = {"sqlite3", "pysqlite3", "psycopg"}
DOORS = ("events/web/request.py", "events/messages/delivery.py", "service/restoring.py", "service/commands/")
"""Who may open ``write``: requests by ``changing``, the post that goes out, going back to a copy, and the commands."""


def _from_sqlalchemy(source: str, name: str) -> bool:
    """Whether this name is SQLAlchemy's in the module: a form's field has it too."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return not imports or any(i.module == "sqlalchemy" and name in {n.name for n in i.names} for i in imports)


def past_the_journal(source: str) -> list[str]:
    """What in a module's source could change rows without the session seeing each of them."""
    breaches = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            names = {name.name for name in node.names} & STATEMENTS.get(node.module or "", set())
            breaches += [f"{node.lineno}: imports {name}" for name in sorted(names | ({node.module or ""} & DRIVERS))]
        if isinstance(node, ast.Import):
            breaches += [f"{node.lineno}: imports {name.name}" for name in node.names if name.name in DRIVERS]
        if isinstance(node, ast.Attribute) and node.attr in ("driver_connection", "dbapi_connection"):
            breaches.append(f"{node.lineno}: {node.attr}")
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in PAST_THE_SESSION or name.startswith("bulk_"):
                breaches.append(f"{node.lineno}: {name}")
            elif name in ("insert", "update", "delete") and "__table__" in ast.unparse(node.func):
                breaches.append(f"{node.lineno}: {ast.unparse(node.func)}")
        called = ast.unparse(node.func).split(".")[-1]
        plain = bool(node.args) and isinstance(node.args[0], ast.Constant)
        words = ast.literal_eval(node.args[0]) if plain else ""
        if ast.unparse(node.func) in ("text", "sqlalchemy.text") and not plain and _from_sqlalchemy(source, "text"):
            breaches.append(f"{node.lineno}: a statement that is put together")
        elif called == "text" and re.match(
            r"\s*(insert|update|delete|replace|merge|truncate|with)\b", str(words), re.I
        ):
            breaches.append(f"{node.lineno}: {words!r}")
    return breaches


def test_rows_are_changed_through_the_session_alone() -> None:
    """The journal keeps what the session's flushes change; a statement or a commit of one's own would pass it by."""
    for path in CODE_FILES:
        if path.startswith(("events/", "models/", "service/", "app.py")) and path not in WRITERS:
            assert past_the_journal((ROOT / path).read_text(encoding="utf-8")) == [], path


BYPASSES = (
    "from sqlalchemy import delete",
    "from sqlmodel import Session, update",
    "s.exec(text('DELETE FROM game'))",
    "s.execute(sqlalchemy.text(' update player set club = 1'))",
    "s.connection().exec_driver_sql(words)",
    "s.bulk_save_objects(rows)",
    "s.execute(Game.__table__.delete())",
    "s.commit()",
    "with engine.begin() as connection: connection.execute(statement)",
    "with s.begin(): s.add(game)",
    "s.query(Game).delete()",
    "engine.raw_connection()",
    "s.connection().connection.driver_connection.execute(words)",
    "import psycopg",
    "from pysqlite3 import connect",
    "s.execute(text(words))",
    "from sqlalchemy import text\ns.execute(text(f'PRAGMA {words}'))",
)


def test_the_check_sees_a_change_that_bypasses_the_journal() -> None:
    """The control."""
    assert [source for source in BYPASSES if not past_the_journal(source)] == []
    assert past_the_journal("s.add(game); s.delete(game); s.exec(select(Game)); s.flush(); text('Name', 80)") == []


# ---- promises and the tests behind them


def test_every_promise_is_in_a_table_once_with_its_state() -> None:
    promises = [row for table in TABLES for row in rows(table.read_text(encoding="utf-8"))]
    assert sorted(row.id for row in promises) == sorted(IDS)
    assert [row.id for row in promises if row.state not in STATES] == []
    assert [row.id for row in promises if row.state != "met" and len(row.remark) < 15] == [], "a gap needs its reason"


def test_every_promise_that_is_met_has_a_test() -> None:
    promises = [row for table in TABLES for row in rows(table.read_text(encoding="utf-8"))]
    proven = proofs()
    assert sorted(set(proven) - set(IDS)) == []
    assert [row.id for row in promises if row.state in ("met", "partly") and row.id not in proven] == []


def test_the_door_is_opened_in_few_places() -> None:
    """A change has one ``write``, opened where the request is known: its lock, its answer, its line in the journal."""
    imports = {(p, node) for p in CODE_FILES for node in ast.walk(tree(p)) if isinstance(node, ast.ImportFrom)}
    places = {p for p, i in imports if i.module == "models.db" and "write" in {name.name for name in i.names}}
    assert "events/web/request.py" in places
    assert [place for place in sorted(places) if not place.startswith(DOORS)] == []
    assert [p for p, i in imports if i.module == "models" and "db" in {name.name for name in i.names}] == []


# ---- secrets

SHORT_BY_INTENT = {
    "models/base.py": "a stamp, which everybody may read",
    "events/web/monitoring.py": "a request's id, which everybody may read",
    "events/play/parsing.py": "a sheet's code: typed by hand, 39 bits, slowed down by events/accounts/attempts.py",
    "events/accounts/actions.py": "spare codes: typed by hand, 78 bits, ten tries in a quarter of an hour",
}


def weak_chance(path: str, source: str) -> list[str]:
    """What a module draws by chance that is too short to be a secret, or not drawn by the system's generator."""
    breaches = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name.split(".")[-1] in ("token_urlsafe", "token_hex", "token_bytes"):
            size = ast.literal_eval(node.args[0]) if node.args else 32
            if size < 16 and path not in SHORT_BY_INTENT:
                breaches.append(f"{path}:{node.lineno}: {name}({size}) has fewer than 128 bits")
        if name == "secrets.choice" and path not in SHORT_BY_INTENT:  # numbers are the dice's, and are stored
            breaches.append(f"{path}:{node.lineno}: {name}")
        if name.startswith("uuid.") or name in ("uuid4", "uuid1", "SystemRandom", "random.SystemRandom"):
            breaches.append(f"{path}:{node.lineno}: {name} is no secret")
    return breaches


@pytest.mark.proves("ASVS 11.5.1")
def test_secrets_have_128_bits() -> None:
    for path in CODE_FILES:
        if path.startswith(("events/", "models/", "service/", "app.py")):
            assert weak_chance(path, (ROOT / path).read_text(encoding="utf-8")) == []


def test_the_check_sees_a_short_secret() -> None:
    """The control."""
    for source in ("secrets.token_urlsafe(8)", "token_hex(15)", "uuid.uuid4()", "secrets.choice(LETTERS)"):
        assert weak_chance("events/x.py", source), source
    assert weak_chance("events/x.py", "secrets.token_urlsafe(16); secrets.token_hex()") == []


@pytest.mark.proves("G8")
def test_a_security_report_has_a_way_a_time_and_versions() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for words in (
        "## Reporting a vulnerability",
        "within 48 hours",
        "CHANGELOG.md",
        "## Supported versions",
        "newest release",
    ):
        assert words in policy
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
