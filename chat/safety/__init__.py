"""Safety checks without a model: functions of rows and text, with evidence."""
