"""The frame of the back office: its site, its home page, and what its pages have in common."""
