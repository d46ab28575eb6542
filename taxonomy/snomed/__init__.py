"""SNOMED CT: reading a release, what follows from it, and what it is used for here.

The content is licensed by SNOMED International and is never part of this project: only the loader
is, and a sample of invented content.
"""
