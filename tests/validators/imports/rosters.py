"""Made-up rosters of the real shapes, in every format that is read."""

import io
import zipfile
from typing import Any
from xml.sax.saxutils import escape

from tests.kit.forces import import_force
from validators import SYSTEMS
from validators.contract import Imported

SYSTEM = SYSTEMS["battle_mode"]
EDITION = "2018-08"

ROS_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<roster id="a-b" name="{name}" battleScribeVersion="2.03" gameSystemId="7e9f" gameSystemName="{game}" '
    'xmlns="http://www.battlescribe.net/schema/rosterSchema">'
    '<costs><cost name=" Caps" typeId="cac8" value="{total}.0"/></costs>'
    '<costLimits><costLimit name="Caps" typeId="cac8" value="500.0"/></costLimits>'
    '<forces><force id="f1" name="Battle Mode" entryId="4084" catalogueId="ed47" catalogueName="{catalogue}">'
    "<selections>{selections}</selections></force></forces></roster>"
)
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
UNPRINTABLE = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0xD800, 0xE000))}


def selection(name: str, caps: int = 0, *below: str, number: int = 1, kind: str = "upgrade", category: str = "") -> str:
    """A selection as a roster program writes it; ``caps`` covers its whole number."""
    return (
        f'<selection id="x" name="{escape(name)}" entryId="1794-8f87::24cb-99db" number="{number}" type="{kind}">'
        f"<selections>{''.join(below)}</selections>"
        f'<costs><cost name=" Caps" typeId="cac8" value="{caps}.0"/></costs>'
        f'<categories><category id="c" name="{category}" entryId="d" primary="true"/></categories></selection>'
    )


def ros(*selections: str, total: int = 0, name: str = "A list", catalogue: str = "Survivors",
        game: str = "Fallout: Wasteland Warfare") -> bytes:  # fmt: skip
    return ROS_HEAD.format(
        name=name, game=game, total=total, catalogue=catalogue, selections="".join(selections)
    ).encode()


def zipped(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return kept.getvalue()


def rosz(data: bytes, name: str = "A list.ros") -> bytes:
    return zipped((name, data))


PIPER = selection(
    "Piper", 76, selection("Heroic", 60), selection("Pipe Pistol", 5), selection("Pipe Wrench", 7),
    selection("Baseball Grenade", 18, number=3), selection("Commander", 55), kind="model", category="Unique Units",
)  # fmt: skip
SETTLER = selection(
    "Settler", 40, selection("Combat Rifle", 14, selection("Long Barrel", 10)), kind="model", category="Units"
)
SAMPLE = ros(
    PIPER, SETTLER, selection("Minuteman", 54, selection("Laser Musket", 11), kind="model"),
    selection("Dogmeat Scout", 100, selection("Dog Bite"), kind="model"), total=450,
)  # fmt: skip
JSON_SAMPLE: dict[str, Any] = {
    "roster": {
        "name": "A list", "gameSystemName": "Fallout: Wasteland Warfare", "costs": [{"name": " Caps", "value": 239}],
        "forces": [{"name": "Battle Mode", "catalogueName": "Survivors", "selections": [
            {"name": "Dogmeat Scout", "entryId": "a::b", "number": 1, "type": "model",
             "costs": [{"name": " Caps", "value": 100}], "selections": [{"name": "Dog Bite", "number": 1}]},
            {"name": "zU Settler", "number": 2, "type": "model", "costs": [{"name": "Caps", "value": 80}],
             "selections": [
                 {"name": "Combat Rifle", "number": 2, "costs": [{"name": "Caps", "value": 28}], "selections": [
                     {"name": "Long Barrel", "number": 2, "costs": [{"name": "Caps", "value": 20}]}]},
                 {"name": "Pipe Wrench", "number": 1, "costs": [{"name": "Caps", "value": 7}]},
                 {"name": "Sneak", "number": 0, "costs": [{"name": "Caps", "value": 0}]}]},
        ]}],
    }
}  # fmt: skip
BATTLESCRIBE_TEXT = """++ Battle Mode (Fallout: Wasteland Warfare - Survivors) [450 Caps] ++

+ Unique Units +

Piper [221 Caps]: 3x Baseball Grenade, Commander, Heroic, Pipe Pistol, Pipe Wrench

Dogmeat Scout [100 Caps]: Dog Bite

+ Units +

Settler [64 Caps]
. Combat Rifle: Long Barrel

Minuteman [65 Caps]: Laser Musket

++ Total: [450 Caps] ++

Created with BattleScribe (https://battlescribe.net)
"""
NEW_RECRUIT_TEXT = """Survivors - Home and hearth - [325 pts]

# ++ Army Roster ++ [325 pts]
## Unique Units
Piper [221 pts]: Heroic, 3x Baseball Grenade, Commander, Pipe Pistol, Pipe Wrench
## Units
Settlers [104 pts]:
• 2x Settler [104 pts]: Pipe Wrench, Pipe Pistol
"""
BUILDER_TEXT = """List Total: 382 caps

Piper (166 caps)
\t-Heroic
\t-Pipe Pistol
\t-Pipe Wrench
\t-Baseball Grenade
\t-Baseball Grenade
\t-Baseball Grenade
Settler (64 caps)
\t-Combat Rifle
\t-Long Barrel
Paladin Danse (152 caps)
\t-Plasma Rifle
"""


def read(data: bytes | str, name: str = "list") -> Imported:
    return import_force(name, data.encode() if isinstance(data, str) else data)
