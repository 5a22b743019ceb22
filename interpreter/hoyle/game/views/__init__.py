"""What a seat sees of a state. `view.sees` and `view.knows` alone decide what is hidden."""
