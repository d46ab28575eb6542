"""Hospital packs: a folder of files that describes a whole hospital (docs: pack v1).

`read` turns a folder into plain records and names every mistake at once; `write` lays the records
over the hospital's rows; `export` turns the rows back into the same files.
"""
