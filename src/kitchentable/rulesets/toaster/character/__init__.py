"""A character: the sheet, what follows from it, how it is built and how it grows."""
