"""The bill of materials: CycloneDX 1.6, of everything in the hashed locks, Python's and the page's.

    python release/sbom.py

It is written to dist/, and validated against CycloneDX' own schema by its library, in an environment of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from locks import ROOT, Package, page_packages, python_packages

sys.path.insert(0, str(ROOT))
from benchmarks.harness.services import peer_python

VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
sys.exit(str(wrong) if wrong else 0)
"""


def bill(packages: list[Package], version: str, now: datetime) -> dict[str, Any]:
    """The document."""
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid4()}",
        "version": 1,
        "metadata": {
            "timestamp": now.isoformat(timespec="seconds"),
            "component": {
                "type": "application",
                "bom-ref": "sayso",
                "name": "sayso",
                "version": version,
                "purl": f"pkg:pypi/sayso@{version}",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": [_component(each) for each in unique(packages)],
    }


def unique(packages: list[Package]) -> list[Package]:
    """Each once: npm may have put one into several places."""
    return list({each.url: each for each in sorted(packages, key=lambda each: (each.url, each.needed))}.values())


def _component(package: Package) -> dict[str, Any]:
    """A package; its files are several, each with a hash, and any of them may be the one that is installed."""
    files = [
        {"type": "distribution", "url": package.url, "hashes": [{"alg": algorithm, "content": digest}]}
        for algorithm, digest in package.hashes
    ]
    return {
        "type": "library",
        "bom-ref": package.url,
        "name": package.name,
        "version": package.version,
        "purl": package.url,
        "scope": "required" if package.needed else "excluded",
        "licenses": [{"expression": package.licence}],
        "externalReferences": files,
    }


def main() -> int:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    document = bill(python_packages() + page_packages(), version, datetime.now(UTC))
    text = json.dumps(document, indent=2, ensure_ascii=False)
    done = subprocess.run(
        [peer_python("sbom"), "-c", VALIDATE], input=text, encoding="utf-8", capture_output=True, check=False
    )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return 1
    file = ROOT / "dist" / f"sayso-{version}.cdx.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{text}\n", "utf-8")
    print(f"{file.relative_to(ROOT)}: {len(document['components'])} components, valid CycloneDX 1.6")
    return 0


if __name__ == "__main__":
    sys.exit(main())
