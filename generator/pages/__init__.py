"""Pages: Markdown with shortcodes, templates, structured data; renderable with or without MkDocs."""
