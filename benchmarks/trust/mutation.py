"""Would the tests notice a fault in the code that people trust?

    python -m benchmarks mutation                                    a sample of each module in mutation.yaml
    python -m benchmarks mutation --number 5 ledger/chain.py         5 mutants of this module

A mutant is a module with one change: a comparison turned round, `and` for `or`, a condition negated, another constant,
no result, a statement left out; in SQL, a row security policy that allows everything, or a statement left out. Each
runs against the test files that mutation.yaml names for its module, in a copy of the tree, and must make one of them
fail.
mutation.yaml also lists mutants that behave as the original does, with the reason.

Writes benchmarks/results/mutation.json. Exits with 1 if a mutant survives that the list does not explain.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks import ROOT

RESULT = ROOT / "benchmarks" / "results" / "mutation.json"
NUMBER, SEED = 20, 1
REWRITE = "pytest.PytestAssertRewriteWarning"
SLOWEST = 300.0  # seconds for the tests of a mutant; one that takes longer has not passed
# Third-party packages that the tests import: loaded once, then each mutant runs in a fork.
PACKAGES = (
    *("pytest", "_hypothesis_pytestplugin", "hypothesis", "xdist.plugin", "pytest_cov.plugin", "anyio.pytest_plugin"),
    *("psycopg_pool", "redis.asyncio", "msgspec", "jwt", "alembic.command", "starlette.testclient", "mcp", "httpx2"),
    *("cryptography.hazmat.primitives.ciphers.aead", "limits.aio.strategies", "pydantic_settings", "unittest", "pdb"),
)

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutant(NamedTuple):
    """A module with one change; `was` is the line that it is in, `label` the change."""

    line: int
    was: str
    label: str
    source: str


class _Site(NamedTuple):
    """A place in a tree: how to find the node again in a copy, and what to do with it there."""

    path: tuple[str | int, ...]
    label: str
    change: Callable[[Any], Any]


def _at(tree: ast.AST, path: tuple[str | int, ...]) -> Any:
    node: Any = tree
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


def _sites(node: ast.AST, path: tuple[str | int, ...] = ()) -> Iterator[_Site]:
    """Every place that can be changed, in the order of the source."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "keywords") and not isinstance(node, ast.Call):
            continue
        for number, child in enumerate(value if isinstance(value, list) else [value]):
            here = (*path, name, number) if isinstance(value, list) else (*path, name)
            if not isinstance(child, ast.AST) or _is_text_only(child):
                continue
            yield from _changes(child, here)
            yield from _sites(child, here)


def _is_text_only(node: ast.AST) -> bool:
    """Docstrings, log lines, error messages and formatted texts: another wording is no fault."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return ast.unparse(node.value.func).startswith("_log.")
    return isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom))


def _changes(node: ast.AST, path: tuple[str | int, ...]) -> Iterator[_Site]:
    if isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            new = _OPPOSITE[type(operator)]
            yield _Site(path, f"{type(operator).__name__} to {new.__name__}", _set_operator(number, new))
    elif isinstance(node, ast.BoolOp):
        new_op = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield _Site(path, f"{type(node.op).__name__} to {new_op.__name__}", _set("op", new_op()))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _Site(path, "without not", lambda found: found.operand)
    elif isinstance(node, ast.Constant) and (value := _other(node.value)) is not None:
        yield _Site(path, f"{node.value!r} to {value!r}", _set("value", value))
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield _Site(path, "returns None", _set("value", ast.Constant(None)))
    elif isinstance(node, (ast.Expr, ast.Raise, ast.AugAssign, ast.Delete)) or _is_bare_if(node) or _is_kept(node):
        yield _Site(path, f"without this {type(node).__name__}", lambda _: ast.Pass())


def _set(name: str, value: Any) -> Callable[[Any], Any]:
    def change(found: Any) -> Any:
        setattr(found, name, value)
        return found

    return change


def _set_operator(number: int, new: type[ast.cmpop]) -> Callable[[Any], Any]:
    def change(found: Any) -> Any:
        found.ops[number] = new()
        return found

    return change


def _other(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return f"{value}~"
    return value + b"~" if isinstance(value, bytes) else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_bare_if(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and not node.orelse


def _is_kept(node: ast.AST) -> bool:
    """Whether something is put into an object or a container."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript))


def mutants_of_python(source: str) -> list[Mutant]:
    tree, lines = ast.parse(source), source.splitlines()
    found = []
    for site in _sites(tree):
        changed = copy.deepcopy(tree)
        *above, last = site.path
        parent, node = _at(changed, tuple(above)), _at(changed, site.path)
        line = node.lineno
        new = site.change(node)
        if isinstance(last, int):
            parent[last] = new
        else:
            setattr(parent, last, new)
        text = ast.unparse(ast.fix_missing_locations(changed))
        found.append(Mutant(line, lines[line - 1].strip(), site.label, text))
    return found


def mutants_of_sql(source: str) -> list[Mutant]:
    """Row security: each policy's condition as `true`, and each statement about it or about rights left out."""
    conditions = r"(USING|WITH CHECK) \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    found = [_cut(source, match, f"{match[1]} (true)") for match in re.finditer(conditions, source)]
    about = r"^ *(?:EXECUTE format\(\s*')?(?:ALTER TABLE [^;]*ROW LEVEL SECURITY|CREATE POLICY|GRANT|REVOKE)\b[^;]*;"
    return found + [_cut(source, match, "") for match in re.finditer(about, source, re.MULTILINE)]


def _cut(source: str, match: re.Match[str], new: str) -> Mutant:
    line = source.count("\n", 0, match.start()) + 1
    label = f"{match[0].split('(')[0].split(';')[0].strip()[:60]}: {new or 'left out'}"
    return Mutant(
        line, source.splitlines()[line - 1].strip(), label, source[: match.start()] + new + source[match.end() :]
    )


def passes(tree: Path, tests: list[str], seconds: float = SLOWEST, *, compiles: bool = False) -> bool:
    """Whether these test files pass in the tree; `compiles` keeps the bytecode of all modules for the next runs."""
    child = os.fork()
    if child == 0:
        _run_tests(tree, tests, compiles=compiles)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            _end_group(child)  # servers that the tests left behind
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    _end_group(child)
    os.waitpid(child, 0)
    return False


def _end_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _run_tests(tree: Path, tests: list[str], *, compiles: bool) -> None:
    """In the child: never returns."""
    code = 70
    try:
        os.setsid()
        os.chdir(tree)
        silent = os.open(os.environ.get("MUTATION_LOG", os.devnull), os.O_WRONLY | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(silent, stream)
        os.environ["PYTHONPATH"] = str(tree / "src")
        os.environ["PYTHONDONTWRITEBYTECODE"] = "" if compiles else "1"
        sys.dont_write_bytecode = not compiles
        others = {str(ROOT), str(ROOT / "src")}
        sys.path[:] = [str(tree / "src"), *(each for each in sys.path if each not in others)]
        # what is loaded before pytest cannot have its assertions rewritten, which concerns no test of ours
        options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not long", "-W", f"ignore::{REWRITE}"]
        code = int(importlib.import_module("pytest").main([*options, *tests]))
        sys.stdout.flush()
    finally:
        os._exit(code)


def copy_tree(into: Path) -> Path:
    """What git knows of the tree, and what is new in it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, into / name)
    return into


def try_module(tree: Path, module: str, known: dict[str, Any], number: int, seed: int) -> dict[str, Any]:
    """What became of a sample of a module's mutants."""
    file = tree / "src" / "sayso" / module
    source = file.read_text("utf-8")
    every = (mutants_of_sql if file.suffix == ".sql" else mutants_of_python)(source)
    chosen = random.Random(f"{seed} {module}").sample(every, min(number, len(every)))
    began = time.monotonic()
    if not passes(tree, known["tests"], compiles=True):
        raise SystemExit(f"{module}: its tests fail without a mutant: {' '.join(known['tests'])}")
    print(f"{module}: {len(chosen)} of {len(every)} mutants, tests take {time.monotonic() - began:.0f} s", flush=True)
    survivors = []
    for compiled in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):  # it could be taken for that of a mutant
        compiled.unlink()
    try:
        for mutant in sorted(chosen):
            file.write_text(mutant.source, "utf-8")
            if passes(tree, known["tests"]):
                reason = next((each["reason"] for each in known.get("equivalent", []) if _fits(each, mutant)), None)
                survivors.append({"line": mutant.line, "was": mutant.was, "change": mutant.label, "reason": reason})
                print(
                    f"  survives: {mutant.line}: {mutant.was}: {mutant.label} ({reason or 'NOT EXPLAINED'})", flush=True
                )
    finally:
        file.write_text(source, "utf-8")
    result = {"mutants": len(every), "tried": len(chosen), "killed": len(chosen) - len(survivors)}
    return result | {"seconds": round(time.monotonic() - began), "survivors": survivors}


def _fits(explained: dict[str, str], mutant: Mutant) -> bool:
    return explained["was"] == mutant.was and explained["change"] == mutant.label


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="files under src/sayso; by default all of mutation.yaml")
    parser.add_argument("--number", type=int, default=NUMBER, help="mutants of each module, at most")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    modules = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    if unknown := set(given.modules) - set(modules):
        raise SystemExit(f"not in mutation.yaml: {', '.join(sorted(unknown))}")
    for package in PACKAGES:
        importlib.import_module(package)
    results = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    unexplained = 0
    with tempfile.TemporaryDirectory(prefix="sayso-mutation-") as folder:
        tree = copy_tree(Path(folder))
        for module in given.modules or modules:
            result = try_module(tree, module, modules[module], given.number, given.seed)
            unexplained += sum(each["reason"] is None for each in result["survivors"])
            results[module] = {"date": datetime.now(UTC).date().isoformat(), "seed": given.seed} | result
            RESULT.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    tried, killed = (sum(each[name] for each in results.values()) for name in ("tried", "killed"))
    print(f"{len(results)} modules, {tried} mutants: {killed} killed; {unexplained} survivors are not explained")
    return int(bool(unexplained))


if __name__ == "__main__":
    sys.exit(main())
