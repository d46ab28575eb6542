"""What must hold before an answer counts: by code, whoever wrote it. What is taken out is told."""
