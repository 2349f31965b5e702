"""What a blow does and how it passes: stun, wounds, dying, bleeding, help, and healing."""
