structure(c(1, 2, 3, 4), dim = c(2L, 2L))
