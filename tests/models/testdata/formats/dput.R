list(N = 3L, T = 2L, x = c(1, 2.5, -3), g = c(1L, 2L, 1L), w = c(a = 0.5, b = 0.1),
  Y = structure(c(1, 3, 5, 2, NA, 6.25), dim = 3:2, dimnames = list(NULL, c("u", "v"))))
