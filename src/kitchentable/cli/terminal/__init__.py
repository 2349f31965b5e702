"""The table in a terminal: plain lines, for people, screen readers, pipes and programs."""
