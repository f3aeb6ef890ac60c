"""`python -m sayso.cli`, for a checkout that is not installed."""

from sayso.cli.main import app

app(prog_name="sayso")
