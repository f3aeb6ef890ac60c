"""A simulated fleet: machines that behave believably, over a real broker."""
