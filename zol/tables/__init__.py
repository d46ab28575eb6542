"""Readers and writers of table files: CSV, and workbooks of spreadsheets."""
