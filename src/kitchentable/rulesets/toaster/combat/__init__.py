"""Fights: rounds, attack and defence, weapons and armour in use."""
