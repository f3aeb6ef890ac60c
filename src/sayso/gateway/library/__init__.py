"""The gateway as a library: guards the tools of your own program."""
