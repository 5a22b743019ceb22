"""Series of games for people who write Python, as in a notebook: played by functions, told as pictures and tables."""
