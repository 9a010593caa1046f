"""A CycloneDX bill of materials: every dependency of the service with its version and hashes, from the lock file.

Run: ``.venv/bin/python -m tests.kit.bill > overseer.cdx.json``, with each release.
"""

import re
import sys
import tomllib

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tests.kit.promises import ROOT

PART = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^\s;\\]+)(?P<rest>(?:.|\n(?=\s))*)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    whole = Component(name=name, version=version, type=ComponentType.APPLICATION, bom_ref=f"{name}@{version}")
    made = Bom()
    made.metadata.component = whole
    parts = [
        Component(
            name=found["name"],
            version=found["version"],
            bom_ref=f"{found['name']}@{found['version']}",
            purl=PackageURL("pypi", name=found["name"], version=found["version"]),
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in HASH.findall(found["rest"])],
        )
        for found in PART.finditer((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    ]
    made.components.update(parts)
    made.register_dependency(whole, parts)
    return JsonV1Dot6(made).output_as_string(indent=1)


if __name__ == "__main__":
    sys.stdout.write(bill() + "\n")
