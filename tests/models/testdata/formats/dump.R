N <- 3
T <- 2L
"x" <- c(1, 2.5, -3)
`g` = c(1L, 2L, 1L)
w <-
c(0.5, 1e-1)
"Y" <-
structure(c(1, 3, 5, 2, NA, 6.25), .Dim = c(3L, 2L), .Dimnames = list(NULL, c("a", "b")))
