"""`python -m sayso.cli`, for a checkout that is not installed."""

from sayso.cli.start import run

run()
