"""The CEL engine, loaded when the first rule is.

The package's own entry point also imports its command line, with a terminal library that the gateway has no use for:
that takes ten times as long. So only the compiled module is loaded.

`common-expression-language` takes 23 ms to load and 28 µs for one evaluation with its variables. The alternatives are
slower: `cel-python` takes 610 ms and 850 µs, `cedarpy` 73 ms and 160 µs, and Cedar has no floating-point numbers and no
custom functions (CPU time, November 2026).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any, Protocol, cast

from sayso.errors import MissingExtra

_PACKAGE, _MODULE = "cel", "cel.cel"


class Program(Protocol):
    """A compiled expression."""

    def execute(self, context: Any) -> Any:
        """Evaluates it; raises any Exception if that fails."""

    def variables(self) -> list[str]:
        """The names of variables in it, those of loops among them."""

    def functions(self) -> list[str]:
        """The names of functions and operators in it."""


class Engine(Protocol):
    """The compiled module."""

    def compile(self, expression: str) -> Program:
        """Compile; ValueError with line and column for a bad expression."""

    @property
    def Context(self) -> Callable[[dict[str, Any], dict[str, Callable[..., Any]]], Any]:  # noqa: N802  its own name
        """Variables and functions, converted once for any number of programs."""


@cache
def engine() -> Engine:
    """The engine. Raises MissingExtra if it is not installed."""
    package = find_spec(_PACKAGE)
    spec = PathFinder.find_spec(_MODULE, package.submodule_search_locations if package else [])
    if spec is None or spec.loader is None:
        raise MissingExtra("gateway", "common-expression-language")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    logging.getLogger(_PACKAGE).disabled = True  # it logs each function that fails, with values of calls
    return cast("Engine", module)
