"""What must hold before an answer counts, whoever wrote it."""
