"""The error classes. Not understanding a message is a decision, not an error.

SaysoError
├── MalformedCase   the JSON that came in is not a case
├── BadData         a language or pack file is wrong: names the file, the key and what to do
├── UnknownPack     a case names a pack that is not installed
├── BadSetting      a `SAYSO_…` variable is missing or wrong
├── MissingExtra    a command needs packages that a plain install does not bring
└── NotReady        the database cannot be used as it is: says what to do
"""


class SaysoError(Exception):
    """Base of every error that Sayso raises on purpose."""


class MalformedCase(SaysoError):
    """A case that does not follow the decision contract."""


class BadData(SaysoError):
    """A language or pack file that cannot be used."""

    def __init__(self, file: str, key: str, problem: str, remedy: str) -> None:
        self.file, self.key, self.problem, self.remedy = file, key, problem, remedy
        super().__init__(f"{file}: {key}: {problem}. {remedy}")


class UnknownPack(SaysoError):
    """A pack that nobody installed."""

    def __init__(self, name: str, installed: tuple[str, ...]) -> None:
        self.name, self.installed = name, installed
        super().__init__(
            f'no pack is called "{name}"; installed: {", ".join(installed) or "none"}. '
            "Name one of these, or give the path of a pack folder."
        )


class BadSetting(SaysoError):
    """A setting that is missing or wrong."""

    def __init__(self, name: str, problem: str) -> None:
        self.name = name
        super().__init__(f"{name}: {problem}")


class MissingExtra(SaysoError):
    """Packages that a plain install does not bring."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"{package} is not installed. Install the extra: pip install 'sayso[{extra}]'")


class NotReady(SaysoError):
    """A database that cannot be used as it is."""
