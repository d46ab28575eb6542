"""What a hospital knows exactly: need × subject × conditions → a typed value.

`records` lists the types of values; each is parsed, validated, written and printed in one place,
for the pages of staff, packs, tables, the API and answers alike. Plain core: no framework.
"""
