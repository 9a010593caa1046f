"""Write docs/assurance/evidence/new_games_oracles.txt anew: python -m tests.validators.oracle_evidence"""

from tests.validators import test_fallout_skirmish_oracle as skirmish
from tests.validators import test_new_vegas_oracle as new_vegas
from tests.validators import test_skill_combat_oracle as skill_combat
from tests.validators.oracle_lines import EVIDENCE, line


def main() -> None:
    """Compare both checkers of each game on every chunk, and write what was met."""
    chunks = [
        *(line("fallout_skirmish", seed, skirmish.GROUPS, skirmish.judged(seed)) for seed in range(10)),
        *(line("new_vegas", seed, new_vegas.FORCES, new_vegas.judged(seed)) for seed in range(10)),
        *(line("skill_combat", seed, skill_combat.SIDES, skill_combat.judged(seed)) for seed in skill_combat.SEEDS),
    ]
    head = [
        "Two checkers of each game, compared on random forces by total, figures, rules broken, and rules asked about.",
        "The second ones (tests/validators/simple_*.py) share no code with the first and read the data themselves.",
        "Command: .venv/bin/python -m tests.validators.oracle_evidence",
        "Agreed on all of 15000 forces. Counts are forces; one force can break several rules. The oracle of Fallout:",
        "Warfare runs with the tests (tests/validators/test_fallout_warfare_oracle.py); its figures are not kept here.",
        "",
    ]
    EVIDENCE.write_text("\n".join([*head, *chunks, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
