"""Doing things: tasks, contests, races, attribute rolls, luck."""
