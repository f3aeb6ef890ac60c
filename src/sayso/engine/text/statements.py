"""Tells whether a statement of SQL only reads.

`SELECT COUNT(*) FROM orders` does. What this module does not know for certain counts as a change: a second statement, a
comment, a function that is not in the list, a variable.
"""

from __future__ import annotations

import re
from itertools import pairwise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LONGEST = 10_000  # characters
_PART = re.compile(
    r"""(?P<space>\s+)
    |(?P<text>'(?:[^'\\]|'')*')
    |(?P<quoted>"[^"\\]*"|`[^`\\]*`|\[[\w\s]*\])
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<place>[?$:]\w+|\?)
    |(?P<mark><=|>=|<>|!=|==|\|\||::|->>?|[-+*/%<>=(),.;~])""",
    re.VERBOSE,
)
_OPENINGS = ("select", "with")
_COMMENTS = (("-", "-"), ("/", "*"))
_CHANGES = _words(
    """alter analyze attach begin call cluster comment commit copy create delete detach do drop dumpfile exec execute
    explain export for grant handler import insert install into kill load lock merge notify outfile pragma prepare
    procedure reindex rename replace reset returning revoke rollback savepoint set shutdown truncate unlock update
    use vacuum ;"""
)
_BEFORE_BRACKET = _words(
    """all and any as between by case distinct else except exists from full group having in inner intersect is join
    left like limit materialized not offset on or order outer over partition right select some then union using
    values when where"""
)
_FUNCTIONS = _words(
    """abs avg cast ceil ceiling char_length coalesce concat count date date_part date_trunc datediff datetime day
    dense_rank extract filter first_value floor format greatest group_concat hour if ifnull iif instr isnull
    json_array_length json_extract julianday lag last_value lead least left len length lower ltrim max median min
    minute mod month ntile nullif percent_rank position power rank right round row_number rtrim second sign
    split_part sqrt stddev strftime string_agg strpos substr substring sum time timestamp to_char to_date total trim
    typeof unixepoch upper variance week weekday year"""
)


def only_reads(statement: object) -> bool:
    """Whether a statement is one query that changes nothing, as far as its text tells."""
    if not isinstance(statement, str) or len(statement) > _LONGEST:
        return False
    parts = _parts(statement.strip().removesuffix(";"))
    if not parts or parts[0] not in _OPENINGS or not _CHANGES.isdisjoint(parts):
        return False
    return all(_is_harmless(parts, at) for at, part in enumerate(parts) if part == "(")


def _is_harmless(parts: list[str], at: int) -> bool:
    """Whether a bracket opens after a mark, a word that calls nothing, or a function that changes nothing."""
    before = parts[at - 1] if at else ""
    if not before or not (before[0].isalpha() or before[0] in '_"`['):
        return True
    qualified = at > 1 and parts[at - 2] == "."
    return not qualified and (before in _BEFORE_BRACKET or before in _FUNCTIONS)


def _parts(statement: str) -> list[str]:
    """The words and marks of a statement, in lower case; none if there is a comment or something unknown."""
    found: list[str] = []
    at = 0
    while at < len(statement):
        match = _PART.match(statement, at)
        if match is None:
            return []
        at = match.end()
        if match.lastgroup == "text":
            found.append("''")
        elif match.lastgroup != "space":
            found.append(match[0].casefold())
    return [] if any(pair in _COMMENTS for pair in pairwise(found)) else found
