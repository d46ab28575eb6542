"""SNOMED CT: load a release, propose concepts for entities, and look up synonyms.

The content is licensed by SNOMED International and not part of this project, which has only the
loader and an invented sample.
"""
