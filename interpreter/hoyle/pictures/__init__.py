"""Pictures of tables: SVG without references to anything outside."""
