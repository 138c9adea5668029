# What people write by hand.
N = 3; T <- as.integer(2)
x <- c(a = 1, b = 2.5, c = -3)
g <- structure(c(1L, 2L, 1L), .Label = c("low", "high"), class = "factor")
w <- c(0.5, .1)
Y <- matrix(c(1, 2, 3, NA_real_, 5, 6.25), nrow = 3, byrow = TRUE)
