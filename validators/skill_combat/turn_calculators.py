"""The calculators of a turn's action points and of hiding."""

from validators.calculator import Calculator, Figure, Given, Group, Reckoned
from validators.skill_combat.asked import number
from validators.skill_combat.figures import action_points
from validators.skill_combat.turns import hiding, turn

_ENEMIES = (1, 2, 3, 4)


def reckon_turn(given: Given) -> Reckoned:
    """The AP at a turn's end and at the beginning of the next."""
    special = {"AG": int(given["agility"]), "EN": int(given["endurance"])}
    most = action_points(special)
    spent = int(given["actions"]) + int(given["defence"])
    ended = turn(special, int(given["points"]), spent, int(given["hexes"]))
    short = -ended.left.value
    enough = "yes" if short <= 0 else f"no, {short} too few"
    then = Figure("then", "AP of the next turn", ended.then.value, "AP", ended.then.how)
    if short > 0:
        why = f"{ended.left.how} is {short} AP too few: spend or move less"
        then = Figure("then", "AP of the next turn", "this turn cannot be paid", "", why)
    return Reckoned(
        main=(
            then,
            Figure("back", f"AP back, {ended.way}", ended.back.value, "AP", ended.back.how),
        ),
        figures=(
            Figure("left", "AP left this turn", ended.left.value, "AP", ended.left.how),
            Figure("enough", "Enough AP", enough),
            Figure("most", "Most AP", most.value, "AP", most.how),
            Figure("sprint", "Cost of the sprint", ended.sprint, "AP", "2 for each hex beyond 5"),
            Figure("ac", "Armor class more until the next turn", int(given["defence"]), "", "1 for each AP"),
        ),
    )


def reckon_hiding(given: Given) -> Reckoned:
    """The number to roll to stay hidden."""
    enemies = [int(given[f"dc{n}"]) for n in _ENEMIES if f"dc{n}" in given]
    chance = hiding(int(given["skill"]), enemies, int(given["cover"]))
    main = [Figure("chance", "To hide, roll at or below", chance.value, "%", chance.how)]
    luck = int(given["luck"])
    if "roll" in given:
        roll = int(given["roll"])
        how = f"{chance.value} − {roll} = {chance.value - roll}"
        main.append(Figure("outcome", f"A roll of {roll}", _told(roll, luck, chance.value), "", how))
    return Reckoned(
        main=tuple(main),
        figures=(
            Figure("critical", "Hidden for good", f"1–{luck}", "", f"0 + {luck} (LK)"),
            Figure("fumble", "Seen by all within 5 hexes", f"{89 + luck}–100", "", f"89 + {luck} (LK)"),
        ),
    )


def _told(roll: int, luck: int, chance: int) -> str:
    if roll <= luck:
        return "Hidden for good"
    if roll >= 89 + luck:
        return "Seen at once"
    return "Hidden" if roll <= chance else "Seen"


TURN = Calculator(
    id="turn",
    name="Action points of a turn",
    summary="What a turn costs and how many AP the next one has. The fields begin with the document's own first turn.",
    source="Document 002: Action Points and the Turn; Increasing AC; Taking Actions",
    reckon=reckon_turn,
    groups=(
        Group("The character", (number("agility", "Agility", 0, 20, 9), number("endurance", "Endurance", 0, 20, 7))),
        Group(
            "The turn",
            (
                number("points", "AP at its beginning", 0, 99, 12),
                number("actions", "AP for actions", 0, 99, 12, "Four shots of 3 in the example."),
                number("defence", "AP for defence", 0, 99, 0, "Each adds 1 to the armor class."),
                number("hexes", "Hexes moved", 0, 60, 3),
            ),
        ),
    ),
)

HIDE = Calculator(
    id="hide",
    name="Hiding",
    summary="What to roll to stay hidden. The fields begin with the document's own example.",
    source="Document 002: Find cover and Hide",
    reckon=reckon_hiding,
    groups=(
        Group(
            "Who hides",
            (
                number("skill", "Sneak", 0, 300, 24),
                number("cover", "Bonus for cover", 0, 100, 15),
                number("luck", "Luck", 1, 10, 7),
            ),
        ),
        Group(
            "The enemies, each within its own Perception in hexes",
            tuple(number(f"dc{n}", f"Enemy {n}: detection class", 0, 200, 13 if n == 1 else None) for n in _ENEMIES),
        ),
        Group("The roll", (number("roll", "Rolled", 1, 100, help="Leave it open to see the chance alone."),)),
    ),
)
