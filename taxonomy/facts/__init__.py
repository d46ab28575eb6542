"""Facts: exact knowledge of a hospital as need × subject × conditions → typed value.

`records` lists the types of values. Forms, packs, tables, the API and answers share their parsing,
validation and printing. This package does not depend on Django.
"""
