"""How problems are told: their codes and explanations, and text, JSON, SARIF or GitHub's lines."""
