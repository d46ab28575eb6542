"""Parser of days and times in questions, in eight languages."""
