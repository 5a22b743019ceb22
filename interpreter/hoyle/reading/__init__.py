"""From text to one tree: YAML with a place for every key and value, its shape, what it uses and extends, formulas as syntax."""
