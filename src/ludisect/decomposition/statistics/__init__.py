"""The method ``playouts``: statistics of random plays (Hufschmitt and others 2018).

The authors are Hufschmitt, Vittaut and Jouandeau; sections (§) and definitions are those of their paper.
"""
