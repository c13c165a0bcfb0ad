"""The checker: it walks what an answer claims before the answer is called exact."""
