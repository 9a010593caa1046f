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

    @property
    def words(self) -> str:
        """Who won: "you win", "a draw", "you lose"."""
        return {"win": "you win", "draw": "a draw", "loss": "you lose"}[self.outcome]

    @property
    def sentence(self) -> str:
        """Who won as a line of its own: "You win"."""
        return f"{self.words[0].upper()}{self.words[1:]}"


def own_score(score: Score | None, side: Side) -> OwnScore | None:
    """The score as this side sees it; None without figures."""
    if score is None:
        return None
    outcome = "draw" if score.outcome == "draw" else "win" if score.outcome == side else "loss"
    return OwnScore(*((score.a, score.b) if side == "a" else (score.b, score.a)), outcome, score.known)
