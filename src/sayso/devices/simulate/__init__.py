"""A simulated fleet of machines on a real broker."""
