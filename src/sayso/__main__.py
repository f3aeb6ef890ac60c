"""`python -m sayso`: the same as `sayso`, for an environment whose commands are not on the path."""

from sayso.cli.start import run

run()
