"""Files of other programs: their formats are data (`grammar/formats`), and what they hold becomes a position or the moves of a record."""
