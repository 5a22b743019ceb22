"""Results of other rooms as text, data and pages in the user's language, for the command line, the browser and notebooks."""
