"""A table in the terminal: plain lines, for people, screen readers, pipes and programs."""
