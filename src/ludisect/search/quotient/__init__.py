"""States of a part that nothing tells apart count as one; then the product: the way ``quotient``."""
