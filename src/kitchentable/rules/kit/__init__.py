"""The parts that every game is built from."""
