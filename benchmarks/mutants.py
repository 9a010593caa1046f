"""Mutants: copies of a source file with one small change of behaviour each."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

OTHER: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
NEIGHBOUR: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
"""Each comparison with its boundary moved."""
ENDS = (ast.Raise, ast.Return, ast.Continue)
ROLES = ("ORGANISER", "JUDGE", "SCOREKEEPER", "LIST_CHECKER", "CHECK_IN")
MESSAGES = ("log", "flash", "note")
"""Calls with text for people, which are not mutated; another test checks the journal's entries."""


@dataclass(frozen=True)
class Mutant:
    """One mutant: its place, its kind, and the bytes of the file to replace."""

    path: str
    kind: str
    line: int
    last: int
    """The statement's first line and the mutant's last line: the tests that run one of these lines are chosen."""
    scope: str
    """The function or method of the line; "" for a table of the module."""
    start: int
    end: int
    before: str
    after: str
    at: int

    def source(self, whole: bytes) -> bytes:
        """The file with this change and its old number of lines."""
        lost = whole[self.start : self.end].count(b"\n") - self.after.count("\n")
        return whole[: self.start] + self.after.encode() + b"\n" * max(0, lost) + whole[self.end :]

    @property
    def name(self) -> str:
        """The mutant's name in the output."""
        return f"{self.path}:{self.at} {self.kind}: {self.change}"

    @property
    def change(self) -> str:
        """The change, on one line."""
        return " -> ".join(" ".join(text.split()) for text in (self.before, self.after))

    @property
    def place(self) -> str:
        """The file, with the function or the table."""
        return f"{self.path} {self.scope}"

    @property
    def key(self) -> str:
        """A name that does not change with the line number."""
        return f"{self.place} {self.kind}: {self.change}"


class Breaker:
    """Every mutant of one file."""

    def __init__(self, path: str, source: bytes) -> None:
        """Read the file."""
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.scope = ""

    def mutants(self) -> Iterator[Mutant]:
        """The mutants of all functions in the file's order, then those of its tables and limits."""
        module = ast.parse(self.source)
        yield from self._within(module, "")
        self.scope = ""
        for node in module.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for part in ast.walk(node.value):
                    if isinstance(part, ast.Constant) and type(part.value) is int:
                        yield self._made("limit moved", part, str(part.value * 2 or 1), first=node)
                if isinstance(node.value, ast.Dict):
                    yield from self._rows(node, node.value)

    def _rows(self, table: ast.stmt, rows: ast.Dict) -> Iterator[Mutant]:
        """Mutants of the two permission tables: one role too many, one too few, another permission function."""
        for key, value in zip(rows.keys, rows.values, strict=True):
            words = ast.unparse(key) if key is not None else ""
            if words.startswith("Right."):
                for role in ROLES:
                    yield self._made("right given", value, f"({self._text(value)}) | {{Role.{role}}}", first=table)
                    yield self._made("right taken", value, f"({self._text(value)}) - {{Role.{role}}}", first=table)
            elif self._text(value).startswith("access.may_"):
                weak = "access.may_see_desk"
                other = "access.may_archive" if self._text(value) == weak else weak
                yield self._made("question changed", value, other, first=table)

    def _within(self, node: ast.AST, above: str) -> Iterator[Mutant]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                yield from self._within(child, f"{above}{child.name}.")
            elif isinstance(child, ast.FunctionDef):
                self.scope = f"{above}{child.name}"
                answers = isinstance(child.returns, ast.Name) and child.returns.id == "bool"
                for statement in child.body:
                    yield from self._statement(statement, answers)

    def _statement(self, node: ast.stmt, answers: bool) -> Iterator[Mutant]:
        if isinstance(node, ast.FunctionDef):
            for below in node.body:
                yield from self._statement(below, False)
            return
        if isinstance(node, ast.If):
            guard = isinstance(node.body[-1], ENDS) or _aborts(node.body[-1])
            yield self._made("guard removed" if guard else "branch never taken", node.test, "False")
            yield self._made("condition turned", node.test, f"not ({self._text(node.test)})")
        elif isinstance(node, ast.Raise):
            yield self._made("refusal removed", node, "pass")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _is_message(node.value):
            nothing = "__class__" if "super()" in self._text(node.value) else "pass"  # keeps the closure's variables
            yield self._made("refusal removed" if _aborts(node) else "call removed", node, nothing)
        elif isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
        ):
            yield self._made("store removed", node, "pass")
        elif isinstance(node, ast.Return) and node.value is not None:
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
                yield self._made("answer turned", node.value, str(not node.value.value))
            elif answers:
                yield self._made("answer turned", node.value, f"not ({self._text(node.value)})")
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from self._statement(child, answers)
            elif isinstance(child, ast.expr):
                yield from self._expression(child)
            else:  # the parts of a with statement, an except clause, a case
                for inner in ast.iter_child_nodes(child):
                    if isinstance(inner, ast.stmt):
                        yield from self._statement(inner, answers)
                    elif isinstance(inner, ast.expr) and not isinstance(child, ast.ExceptHandler):
                        yield from self._expression(inner)

    def _expression(self, whole: ast.expr) -> Iterator[Mutant]:
        for node in ast.walk(whole):
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                left, right, kind = self._text(node.left), self._text(node.comparators[0]), type(node.ops[0])
                yield self._made("comparison turned", node, f"({left} {OTHER[kind]} {right})")
                if kind in NEIGHBOUR:
                    yield self._made("boundary moved", node, f"({left} {NEIGHBOUR[kind]} {right})")
            elif isinstance(node, ast.BoolOp):
                word = " and " if isinstance(node.op, ast.And) else " or "
                parts = [f"({self._text(one)})" for one in node.values]
                for n in range(len(parts)):
                    yield self._made("condition removed", node, f"({word.join(parts[:n] + parts[n + 1 :])})")
                yield self._made("and/or changed", node, f"({(' or ' if 'and' in word else ' and ').join(parts)})")
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                yield self._made("condition turned", node, f"({self._text(node.operand)})")
            elif isinstance(node, ast.IfExp):
                yield self._made("condition turned", node.test, f"(not ({self._text(node.test)}))")
            elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
                if isinstance(node.value.value, bool):
                    yield self._made("flag turned", node.value, str(not node.value.value))
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                yield self._made("number moved", node, str(node.value + 1))

    def _made(self, kind: str, node: ast.expr | ast.stmt, after: str, first: ast.stmt | None = None) -> Mutant:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        before = self.source[start:end].decode()
        line = (first or node).lineno
        return Mutant(self.path, kind, line, node.end_lineno, self.scope, start, end, before, after, node.lineno)

    def _text(self, node: ast.expr) -> str:
        found = ast.get_source_segment(self.source.decode(), node)
        assert found is not None
        return found


def _aborts(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "abort"


def _is_message(call: ast.Call) -> bool:
    return ast.unparse(call.func).partition(".")[0] in MESSAGES
