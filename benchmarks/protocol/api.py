"""schemathesis against the chat service: everything that its description allows and much that it does not, all checks.

    python -m benchmarks api

It runs in an environment of its own, made from requirements/schemathesis.txt into .peers/ on the first run. What is
found is printed by schemathesis with a curl command that shows it again; any finding fails the run.

Nothing is left out: every operation, every check, every phase. One setting of the service is not the usual one: the
rate limit is raised, so that the run meets the service and not the limit.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from benchmarks.harness.services import free_port, new_database, peer_python, serve_chat, settings_for
from sayso.identity.development import issue


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=int, default=150, help="how long to look, at most")
    options.add_argument("--seed", type=int, help="to look in the same places again")
    options.add_argument("more", nargs="*", help="options of schemathesis itself, after --")
    given = options.parse_args()
    python = peer_python("schemathesis")
    with new_database(durable=False) as url:
        port = free_port()
        server = serve_chat(url, port, SAYSO_RATE_LIMIT="1000000/minute")
        try:
            command = [
                python.with_name("schemathesis"), "run",
                f"http://127.0.0.1:{port}/openapi.json", "--checks", "all",
                "--phases", "examples,coverage,fuzzing,stateful", "--max-time", str(given.seconds),
                "-H", f"Authorization: Bearer {issue(settings_for(url), 'schemathesis')}",
                "-H", "X-Sayso-Page: 1", "-H", f"Origin: http://127.0.0.1:{port}", *given.more,  # as the page sends
            ]  # fmt: skip
            if given.seed is not None:
                command += ["--seed", str(given.seed)]
            return subprocess.run(command, cwd=python.parent.parent, check=False).returncode
        finally:
            server.terminate()
            server.wait(40)


if __name__ == "__main__":
    sys.exit(main())
