"""Views of a state by a seat. `view.can_see` and `view.can_know` alone decide what is hidden."""
