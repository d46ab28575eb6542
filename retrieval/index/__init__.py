"""The index of chunks: what is searched, how it is written, how it is rebuilt."""
