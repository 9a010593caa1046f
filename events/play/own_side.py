"""A result from one player's side: own figures first, and who won in words."""

from dataclasses import dataclass

from validators.scenario import Score, Side


@dataclass(frozen=True)
class OwnScore:
    """A score from one side."""

    own: int
    other: int
    outcome: str
    """"win", "draw" or "loss"."""
    known: bool = True
    """Whether the victory points are."""

    @property
    def figures(self) -> str:
        """Own figures first: "5 : 9"; "" where only the outcome is known."""
        return f"{self.own} : {self.other}" if self.known else ""

    def sentence(self, opponent: str) -> str:
        """Who won as a line of its own: "You win"."""
        words = self.words(opponent)
        return words if self.outcome == "loss" else f"{words[0].upper()}{words[1:]}"

    def words(self, opponent: str) -> str:
        """Who won: "you win", "a draw", "Bo wins"."""
        return {"win": "you win", "draw": "a draw", "loss": f"{opponent} wins"}[self.outcome]


def own_score(score: Score | None, side: Side) -> OwnScore | None:
    """The score as this side sees it; None without figures."""
    if score is None:
        return None
    outcome = "draw" if score.outcome == "draw" else "win" if score.outcome == side else "loss"
    return OwnScore(*((score.a, score.b) if side == "a" else (score.b, score.a)), outcome, score.known)
