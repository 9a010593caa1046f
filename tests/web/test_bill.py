"""The bill of materials: made from the lock file, complete, and in a standard format."""

import json

import pytest

from tests.kit.bill import HASH, bill
from tests.kit.promises import ROOT
from tests.kit.sources import pins


@pytest.mark.proves("ASVS 15.1.2")
def test_bill_lists_every_part_with_version_and_hashes() -> None:
    document = json.loads(bill())
    assert {one["name"]: one["version"] for one in document["components"]} == pins("requirements.txt")
    hashes = sorted(one["content"] for part in document["components"] for one in part["hashes"])
    assert hashes == sorted(set(HASH.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))))
    assert all(part["hashes"] for part in document["components"])
    assert document["metadata"]["component"]["name"] == "overseer-desk"
    assert len(document["dependencies"][0].get("dependsOn", [])) + len(document["dependencies"]) > len(
        document["components"]
    )
