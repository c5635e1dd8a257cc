"""What the prose must keep to: small named rules over the Markdown that editors write."""
