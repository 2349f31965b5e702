"""Harm and recovery: stun, wounds, dying, bleeding, help, and healing."""
