"""The back office: admin site, home page, and base classes of admin pages."""
