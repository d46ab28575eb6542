"""What Word writes beside the text, and what it means for the text."""
