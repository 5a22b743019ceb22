"""What is said with every space a plain one, as tests write it."""


def spaced(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")
