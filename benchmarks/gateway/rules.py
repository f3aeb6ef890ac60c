"""What rules cost a call through the gateway: CPU time of applying 0, 1, 10 and 100 rules, beside judging alone.

python -m benchmarks gateway-rules
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from sayso.gateway.config import read_config
from sayso.gateway.library.guard import make_judge
from sayso.gateway.rules.rulebook import Call, Rulebook, make_rulebook
from sayso.gateway.values import Wanted, Words

TIMES = 2_000
TOOL = {
    "name": "write_file",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}},
    "annotations": {"destructiveHint": False},
}
CONDITIONS = {
    "under(args.path, folder)": "under(args.path, '/srv/other')",
    "three comparisons": "tool == 'write_file' && args.path.startsWith('/etc/') && size(args.content) <= 50",
}
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def rulebook(count: int, condition: str) -> Rulebook:
    """As many rules that do not apply, so that all of them are evaluated."""
    rules = [{"effect": "deny", "when": condition}] * count
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sayso.json"
        file.write_text(json.dumps({"mcpServers": {"files": {"command": "x", "sayso": {"rules": rules}}}}))
        return make_rulebook(read_config(file), file)


def cost(work: Callable[[], object]) -> float:
    """Microseconds of CPU time, the best of five rounds."""
    rounds = []
    for _ in range(5):
        began = process_time()
        for _ in range(TIMES // 5):
            work()
        rounds.append((process_time() - began) / (TIMES // 5) * 1e6)
    return min(rounds)


def main() -> None:
    judge = make_judge([TOOL], name="files")
    arguments = {"path": "/srv/notes/a.md", "content": "x" * 1_000}
    words = Words(message="write x to /srv/notes/a.md", trusted=True)
    call = Call("ada", Wanted(server="files", tool="write_file", arguments=arguments, words=words), "")
    verdict = judge.judge(call.wanted, (), "", NOW)
    print(f"judging the call: {cost(lambda: judge.judge(call.wanted, (), '', NOW)):.0f} µs")
    none = Rulebook()
    print(f"no rules: {cost(lambda: none.apply(judge, call, verdict)):.2f} µs")
    for name, condition in CONDITIONS.items():
        costs = {}
        for count in (1, 10, 100):
            rules = rulebook(count, condition)
            costs[count] = cost(lambda rules=rules: rules.apply(judge, call, verdict))  # type: ignore[misc]
        each = (costs[100] - costs[10]) / 90
        told = ", ".join(f"{count} rules {found:.0f} µs" for count, found in costs.items())
        print(f"{name}: {told}; {each:.1f} µs for each further rule")


if __name__ == "__main__":
    main()
