"""Facts: exact knowledge of a hospital as need × subject × conditions → typed value.

`records` lists the types of values; each is parsed, validated, written and printed in one place,
for the pages of staff, packs, tables, the API and answers alike. Plain core: no framework.
"""
