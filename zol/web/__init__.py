"""The web server: its processes, their supervisor, and limits of requests."""
