x <- 1
y <- "text"
x <- 2
z <- 1 + 2
