"""What was read from a text of a list, with its Caps compared, before it replaces anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from events.lists.forms import MOST_TYPED
from validators.contract import Imported, ListAnswers

BAR = 600
"""The width of the bar of Caps."""
_GAP = 3


def text_in(data: bytes) -> str:
    """The text of a file for the box in which it can be changed; "" if it is no text, or too long for it."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if len(text) <= MOST_TYPED and "\0" not in text and not text.startswith("<?xml") else ""


def answers_of(pairs: Sequence[str]) -> ListAnswers:
    """The answers of a form, "3=hunting-rifle", by line or question; the last one to each counts."""
    return dict(pair.partition("=")[::2] for pair in pairs)


@dataclass(frozen=True)
class Segment:
    kind: str
    at: float
    width: float


@dataclass(frozen=True)
class Reading:
    imported: Imported
    answers: tuple[str, ...] = ()

    @property
    def read(self) -> int:
        """What the list costs without the lines to check, which it holds as they were understood so far."""
        return self.imported.total - sum(line.caps or 0 for line in self.imported.lines if line.state == "check")

    @property
    def left_out(self) -> int:
        """What the text says that the lines left out cost."""
        return sum(line.caps or 0 for line in self.imported.left_out)

    @property
    def to_answer(self) -> int:
        """What the text costs beyond the lines that were read or left out, while questions are open."""
        if self.imported.stated is None or not self.imported.open:
            return 0
        return max(0, self.imported.stated - self.read - self.left_out)

    @property
    def adds_up(self) -> bool:
        """Whether what was read, is asked and is left out make the total of the text."""
        return self.read + self.to_answer + self.left_out == self.imported.stated

    @property
    def bar(self) -> tuple[Segment, ...]:
        """The text's total in its parts; empty without one, or if more was read than it says."""
        if not self.imported.stated or not self.adds_up:
            return ()
        parts = {"read": self.read, "open": self.to_answer, "out": self.left_out}
        ends, segments = 0, []
        for kind, caps in parts.items():
            if caps > 0:
                at, width = ends * BAR / self.imported.stated, caps * BAR / self.imported.stated
                segments.append(Segment(kind, round(at, 1), round(max(width - _GAP, 1), 1)))
                ends += caps
        return tuple(segments)

    def place(self, key: str) -> str:
        """The place of the page that opens after an answer: the question's, or the top after the last one."""
        if self.imported.open <= 1:
            return "read"
        return f"line-{key}" if key.isdigit() else f"question-{key}"

    @property
    def first_open(self) -> str:
        asked = [f"question-{question.key}" for question in self.imported.questions]
        lines = self.imported.lines
        asked += [f"line-{line.number}" for line in lines if line.state == "check" and not line.asked_above]
        return asked[0] if asked else ""
