"""What makes the documentation: its site, its reference, and the check of its spelling. No part of the package."""
