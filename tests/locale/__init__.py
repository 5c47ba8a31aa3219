"""`./run translations`: the catalogues of locale/, made from the texts of the code."""
