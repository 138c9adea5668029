x <- c(1, NAN)
