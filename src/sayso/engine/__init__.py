"""The engine decides: a case and a pack in, decisions out. Pure: no I/O, no clock, no framework."""
