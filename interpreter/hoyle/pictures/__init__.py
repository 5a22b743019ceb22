"""A view as a picture: SVG that needs nothing else."""
