"""The method ``playouts``: statistics of random plays (Hufschmitt, Vittaut and Jouandeau 2018)."""
