"""`python -m sayso`: the same as `sayso`, for an environment whose commands are not on the path."""

from sayso.cli.main import app

app(prog_name="sayso")
