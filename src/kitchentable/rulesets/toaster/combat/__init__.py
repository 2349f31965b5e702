"""Fights: rounds, attack and defense, weapons and armor in use."""
