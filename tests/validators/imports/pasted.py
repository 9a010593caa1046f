"""Legal forces written as players paste them: every choice of a style is drawn from dice."""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from validators.battle_mode.force import PricedForce, PricedItem, PricedModel, priced
from validators.contract import Document, EditionInfo, Terms

BULLETS = ("- ", "• ", "* ", "– ", "➖ ", "▪ ", "→ ", "\t", "    ", "\t- ", "  - ", "◦ ", "+ ", "· ", "➡️ ", "")
COSTS = (
    "({} caps)",
    "[{} caps]",
    "({})",
    "{}c",
    "{} pts",
    "- {}",
    "– {} caps",
    "\t{}",
    "= {}",
    "[{} pts]",
    "({}c)",
    "@ {}",
    "{} Caps",
    "({} points)",
    "- {}pts",
    ": {} caps",
    "({} Caps)",
)
TITLES = (
    "The Late Shift",
    "Home Guard (club night)",
    "# My list",
    "**LIST**",
    "=== ROSTER ===",
    "Here is my list for Saturday:",
    "my {faction} list",
)
HEADERS = (
    "{faction}",
    "Faction: {faction}",
    "{faction} {size}",
    "{faction} - {size} caps",
    "Army: {faction}",
    "++ {faction} ++",
    "## {faction}",
    "FACTION KEYWORD: {faction}",
)
TOTALS = (
    "Total: {} caps",
    "TOTAL {}",
    "Total cost: {}/{size}",
    "= {} caps total",
    "**Total: {} Caps**",
    "Sum {} pts",
    "Total: {} / {size} caps",
    "List Total: {} caps",
    "Points: {}",
    "{} caps",
    "Total caps used: {}",
    "++ Total: [{} Caps] ++",
)
FOOTERS = (
    "Sent from my iPhone",
    "Sent from Outlook for Android",
    "Created with BattleScribe (https://battlescribe.net)",
    "--",
    "cheers, Max",
    "Page 1 of 2",
    "good luck!",
    "https://example.org/list",
)
RULES = ("-----", "=====", "~~~~~", "***", "_______", "• • •", "+++++++++++", "────────")
STAMPS = (
    "[12/11/2026, 20:14:03] Max: ",
    "12/11/2026, 20:14 - Max M.: ",
    "[20:14] Max: ",
    "Max, [12.11.26 20:14]: ",
    "20:14 ",
)


@dataclass(frozen=True)
class Style:
    """How one text is written."""

    bullet: str
    cost: str
    priced: str
    """Which lines have costs: "whole" (models with their parts), "both", "own" (each line its own), "none"."""
    parts: str
    """Where parts are: "lines", "colon", "with", "brackets", "dash", "comma"."""
    mods: str
    copies: str
    each: str
    leader: str
    mark: str
    noise: str


def style(dice: Random) -> Style:
    return Style(
        bullet=dice.choice(BULLETS),
        cost=dice.choice(COSTS),
        priced=dice.choice(("whole", "whole", "both", "both", "own", "none")),
        parts=dice.choice(("lines", "lines", "lines", "colon", "with", "w/", "brackets", "comma")),
        mods=dice.choice(("({})", "w/ {}", "with {}", "+ {}", "[{}]", "line", "deeper")),
        copies=dice.choice(
            (
                "{n}x {name}",
                "{name} x{n}",
                "{n} {name}",
                "{n} x {name}",
                "{name} ×{n}",
                "apart",
                "{name} ({n})",
                "{n}× {name}",
                "(x{n}) {name}",
            )
        ),
        each=dice.choice(("", "", " each", " ea")),
        leader=dice.choice(("part", "part", "(Leader)", "[LEADER]", "Leader: ", "- Leader", "colon")),
        mark=dice.choice(("{}", "{}", "{}", "**{}**", "__{}__", "### {}", "n. {}", "n) {}", "> {}", "*{}*", "`{}`")),
        noise=dice.choice(
            ("", "", "", "zero", "nbsp", "wide", "fence", "quote", "stamp", "stamps", "trailing", "crlf", "double")
        ),
    )


def written(document: Document, edition: EditionInfo, dice: Random) -> tuple[str, Style]:
    """A force as a text, and its style."""
    force, how = priced(document, Terms(edition)), style(dice)
    if how.cost == "({})" and how.copies == "{name} ({n})":
        how = Style(**{**how.__dict__, "copies": "{n}x {name}"})
    words = {"faction": force.faction_name, "size": str(-(-force.total // 250) * 250)}
    lines: list[str] = []
    if dice.random() < 0.3:
        lines.append(dice.choice(TITLES).format(**words))
    if dice.random() < 0.4:
        lines.append(dice.choice(HEADERS).format(**words))
    lines += [dice.choice(RULES)] * (dice.random() < 0.2)
    groups = _groups(force) if how.copies != "apart" else [(model, 1) for model in force.models]
    for place, (model, number) in enumerate(groups, start=1):
        lines += _model(model, number, place, how, dice)
        lines += [""] * dice.choice((0, 0, 1)) + [dice.choice(RULES)] * (dice.random() < 0.05)
    if dice.random() < 0.4:
        lines.append(dice.choice(TOTALS).format(force.total, **words))
    if dice.random() < 0.3:
        lines.append(dice.choice(FOOTERS))
    return _noisy(lines, how, dice), how


def _groups(force: PricedForce) -> list[tuple[PricedModel, int]]:
    """Neighbouring equal models together."""
    groups: list[tuple[PricedModel, int]] = []
    for model in force.models:
        if groups and not model.leader and _same(groups[-1][0], model):
            groups[-1] = (groups[-1][0], groups[-1][1] + 1)
        else:
            groups.append((model, 1))
    return groups


def _same(one: PricedModel, other: PricedModel) -> bool:
    parts = ("name", "heroic", "leader", "leader_card", "perks", "items")
    return all(getattr(one, part) == getattr(other, part) for part in parts)


def _model(model: PricedModel, number: int, place: int, how: Style, dice: Random) -> list[str]:
    own = model.entry.caps if model.entry else 0
    caps = own if how.priced == "own" else model.caps
    parts = [(f"Perk: {perk.name}" if dice.random() < 0.1 else perk.name, perk.caps) for perk in model.perks]
    if model.heroic:
        parts.append(("Heroic", model.heroic_caps))
    head = model.name
    inline = how.parts != "lines"
    card = model.leader_card.name if model.leader_card else ""
    if model.leader:
        if how.leader == "colon" and card and not inline:
            parts.append((f"Leader: {card}", model.leader_card.caps if model.leader_card else 0))
            card = ""
        elif how.leader in ("(Leader)", "[LEADER]", "- Leader") and how.parts not in ("brackets", "colon"):
            head += f" {how.leader}"
        elif how.leader == "Leader: " and how.parts != "brackets":
            head = f"Leader: {head}"
        else:
            parts.append(("Leader", 0))
    if card:
        parts.append((card, model.leader_card.caps if model.leader_card else 0))
    dice.shuffle(parts)
    for item in model.items:
        parts += _item(item, how, number)
    if number > 1:
        head = how.copies.format(n=number, name=head)
    cost = _cost(how, caps * (1 if how.each and number > 1 else number), how.each if number > 1 else "")
    mark = how.mark.replace("n.", f"{place}.").replace("n)", f"{place})")
    if not inline:
        first = mark.format(f"{head}{cost}")
        return [first, *(_part(text, caps * (1 if how.each else number), number, how) for text, caps in parts)]
    texts = [text.strip() + (_cost(how, caps, "") if how.priced == "own" else "") for text, caps in parts]
    joined = ", ".join(texts)
    if not joined:
        return [mark.format(f"{head}{cost}")]
    match how.parts:
        case "colon":
            return [mark.format(f"{head}{cost}: {joined}")]
        case "brackets":
            return [mark.format(f"{head} ({joined}){cost}" if how.priced != "own" else f"{head}{cost} ({joined})")]
        case "comma":
            return [mark.format(f"{head}{cost}, {joined}")]
        case word:
            return [
                mark.format(f"{head}{cost} {word} {joined}" if how.priced == "own" else f"{head} {word} {joined}{cost}")
            ]


def _item(item: PricedItem, how: Style, number: int) -> list[tuple[str, int]]:
    name = item.name
    if item.count > 1:
        name = how.copies.format(n=item.count, name=name) if how.copies != "apart" else f"{item.count}x {name}"
    if not item.mods:
        return [(name, item.caps)]
    mods = ", ".join(mod.name for mod in item.mods)
    if how.mods in ("line", "deeper") or item.count > 1:
        if how.parts == "lines" and item.count == 1:
            deep = "   " if how.mods == "deeper" else ""
            return [(name, item.own_caps), *((f"{deep}{mod.name}", mod.caps) for mod in item.mods)]
        return [(f"{name} ({mods})", item.caps)]
    style = "({})" if how.parts in ("with", "w/") and how.mods != "[{}]" else how.mods
    return [(f"{name} {style.format(mods)}", item.caps)]


def _part(text: str, caps: int, number: int, how: Style) -> str:
    deep = len(text) - len(text.lstrip())
    cost = _cost(how, caps, how.each if number > 1 else "") if caps and how.priced in ("both", "own") else ""
    return f"{text[:deep]}{how.bullet}{text.lstrip()}{cost}"


def _cost(how: Style, caps: int, each: str) -> str:
    if how.priced == "none":
        return ""
    text = how.cost.format(caps)
    if each and text.endswith((")", "]")):
        text = text[:-1] + each + text[-1]
    elif each:
        text += each
    return f" {text}" if not text.startswith(("\t", ":")) else text


def _noisy(lines: list[str], how: Style, dice: Random) -> str:
    match how.noise:
        case "zero":
            lines = [f"\u200b{line}\u200e" for line in lines]
        case "nbsp":
            lines = [line.replace(" ", "\u00a0") for line in lines]
        case "wide":
            lines = [line.replace("(", "（").replace(")", "）").replace("-", "－") for line in lines]
        case "fence":
            lines = ["```", *lines, "```"]
        case "quote":
            lines = [f"> {line}" for line in lines]
        case "stamp":
            lines = [dice.choice(STAMPS) + lines[0], *lines[1:]]
        case "stamps":
            stamp = dice.choice(STAMPS)
            lines = [stamp + line if line.strip() else line for line in lines]
        case "trailing":
            lines = [f"{line}  " for line in lines]
        case "double":
            lines = [part for line in lines for part in (line, "")]
    return ("\r\n" if how.noise == "crlf" else "\n").join(lines)


def contents(document: Document) -> Counter[str]:
    """What a force holds: equal models are counted, the order of their parts is not kept."""
    return Counter(map(_shown, document["models"]))


def _shown(model: dict[str, Any]) -> str:
    items: Counter[str] = Counter()
    for item in model["items"]:
        items[f"{item['name']} with {sorted(item['mods'])}"] += item["count"]
    own = [model[part] for part in ("name", "heroic", "leader", "leader_card")]
    return f"{own} {sorted(model['perks'])} {sorted(items.items())}"
