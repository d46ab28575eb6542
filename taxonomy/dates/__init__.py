"""Days and times: the one place that reads them, in every language of a question."""
