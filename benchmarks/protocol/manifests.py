"""The manifests against Kubernetes' own schemas, of the oldest release that they are meant for and of a newer one.

    python -m benchmarks kubernetes

The schemas come with a package, in an environment of its own: no cluster is asked.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.harness.services import ROOT, peer_python

RELEASES = ("1.30", "1.33", "1.37")


def main() -> int:
    validate = peer_python("kubernetes").with_name("kubernetes-validate")
    files = sorted(
        path for path in (ROOT / "deploy" / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml"
    )
    failed = 0
    for release in RELEASES:
        command = [validate, "--strict", "--kubernetes-version", release, "--quiet", *files]
        code = subprocess.run(command, check=False).returncode
        print(f"Kubernetes {release}: {len(files)} files, {'all valid' if code == 0 else 'not all valid'}")
        failed |= code
    return failed


if __name__ == "__main__":
    sys.exit(main())
