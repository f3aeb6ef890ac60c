"""Records: JSON objects with keys of their owner's choice, such as a task or a machine, as read-only values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self


class Record(Mapping[str, Any]):
    """A read-only JSON object, equal to another when the content is equal."""

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, Any] | None = None, /) -> None:
        self._data: dict[str, Any] = dict(data or {})

    @classmethod
    def over(cls, data: dict[str, Any]) -> Self:
        """Over an object that was made for it and that nobody else holds, without a copy."""
        made = cls.__new__(cls)
        made._data = data  # noqa: SLF001  it is one of us
        return made

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return f"Record({self._data!r})"

    def as_dict(self) -> dict[str, Any]:
        return dict(self._data)


class Entity(Record):
    """One of the person's own things. Always has `kind` and `id`; the rest is the pack's."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return str(self._data["kind"])

    @property
    def id(self) -> str:
        return str(self._data["id"])

    def text(self, field: str) -> str:
        """The field as text, empty where it is absent or null."""
        value = self._data.get(field)
        return value if isinstance(value, str) else "" if value is None else str(value)
