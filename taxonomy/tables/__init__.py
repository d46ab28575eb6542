"""Entities, aliases and relations as tables that staff edit in a spreadsheet, and back.

`files` reads and writes CSV and XLSX, `sheets` says what a row means, `services.tables` writes.
"""
