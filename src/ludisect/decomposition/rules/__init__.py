"""The methods ``symbols`` and ``instances``, which read rules (Günther 2007; Zhao 2009)."""
