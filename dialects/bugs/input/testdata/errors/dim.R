x <- 1
Y <- structure(c(1, 2, 3), .Dim = c(2L, 2L))
