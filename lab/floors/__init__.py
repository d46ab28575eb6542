"""Measure every figure that a change may not lower: `python -m lab floors`."""
