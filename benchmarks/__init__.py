"""Measurements and proofs by subject, and the data they read: `python -m benchmarks` lists them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
