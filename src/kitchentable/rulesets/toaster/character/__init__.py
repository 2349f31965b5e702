"""Characters: the sheet, derived numbers, building and growth."""
