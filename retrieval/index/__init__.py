"""The search index: its tables, how it is written and rebuilt."""
