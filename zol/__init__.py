"""The project: wiring, and the little that every app shares."""
