# Makes reference.json: what the R packages posterior and loo say of some draws.
#
#     Rscript reference.R
library(posterior)
library(loo)

number <- function(x) {
  if (is.na(x)) "\"NaN\"" else if (is.infinite(x)) if (x > 0) "\"Inf\"" else "\"-Inf\"" else sprintf("%.17g", x)
}
numbers <- function(x) paste0("[", paste(vapply(x, number, ""), collapse = ","), "]")
columns <- function(x) paste0("[", paste(apply(as.matrix(x), 2, numbers), collapse = ","), "]")
object <- function(x) paste0("{", paste0("\"", names(x), "\":", unlist(x), collapse = ","), "}")

set.seed(20261130)
autoregressive <- function(n, chains, rho) apply(matrix(rnorm(n * chains), n), 2, function(e) as.vector(stats::filter(e, rho, "recursive")))
with_value <- function(x, at, v) { x[at] <- v; x }
draws <- list(
  independent = matrix(rnorm(400), 100),
  correlated = autoregressive(250, 4, 0.9),
  alternating = autoregressive(100, 2, -0.8),
  odd = autoregressive(101, 3, 0.5),
  one = autoregressive(120, 1, 0.6),
  shifted = matrix(rnorm(400), 100) + rep(c(0, 0, 0, 2), each = 100),
  scaled = matrix(rnorm(400), 100) * rep(c(1, 1, 1, 5), each = 100),
  drift = matrix(rnorm(400), 100) + (1:100) / 20,
  heavy = matrix(rcauchy(400), 100),
  counts = matrix(rpois(400, 1.5), 100),
  binary = matrix(rbinom(200, 1, 0.03), 50),
  apart = matrix(rep(1:4, each = 20), 20),
  still = cbind(rnorm(40), rep(0.3, 40)),
  constant = matrix(3, 20, 2),
  infinite = with_value(matrix(rnorm(80), 40), 7, Inf),
  unknown = with_value(matrix(rnorm(80), 40), 9, NaN),
  # halves of one draw are not here: posterior takes chains for draws then
  five = matrix(rnorm(10), 5), six = matrix(rnorm(12), 6), seven = matrix(rnorm(14), 7),
  ten = matrix(rnorm(20), 10), twelve = matrix(rnorm(24), 12), single = matrix(rnorm(4), 1))
quiet <- function(f, ...) tryCatch(suppressWarnings(f(...)), error = function(e) NaN)
chains <- lapply(names(draws), function(name) {
  x <- draws[[name]]
  object(list(
    name = paste0("\"", name, "\""), draws = columns(x),
    rhat = number(quiet(rhat, x)), bulk = number(quiet(ess_bulk, x)), tail = number(quiet(ess_tail, x)), mean = number(quiet(ess_mean, x)),
    mean_error = number(quiet(mcse_mean, x)), sd_error = number(quiet(mcse_sd, x)),
    low_error = number(quiet(function(x) mcse_quantile(x, 0.05), x)), median_error = number(quiet(function(x) mcse_quantile(x, 0.5), x))))
})

observations <- 12
y <- c(rnorm(observations - 1), 6)
likelihood <- function(n, chains, rho) {
  mu <- as.vector(autoregressive(n, chains, rho)) * 0.4
  list(chains = chains, ll = sapply(y, function(v) dnorm(v, mu, 1, log = TRUE)))
}
models <- list(normal = likelihood(250, 4, 0.3), short = likelihood(30, 2, 0), tiny = likelihood(8, 2, 0),
  outlier = { l <- likelihood(100, 4, 0.1); l$ll[, 3] <- dt(3 * rt(400, 1.2), 2, log = TRUE) * 3; l },
  equal = { l <- likelihood(50, 2, 0); l$ll[, 5] <- -1.25; l })
predictions <- lapply(names(models), function(name) {
  m <- models[[name]]
  chain <- rep(seq_len(m$chains), each = nrow(m$ll) / m$chains)
  relative <- suppressWarnings(relative_eff(exp(m$ll), chain_id = chain))
  relative[is.na(relative)] <- 1
  l <- suppressWarnings(loo(m$ll, r_eff = relative))
  w <- suppressWarnings(waic(m$ll))
  object(list(
    name = paste0("\"", name, "\""), chains = m$chains, log_lik = columns(m$ll), relative = numbers(relative),
    elpd = numbers(l$pointwise[, "elpd_loo"]), error = numbers(l$pointwise[, "mcse_elpd_loo"]), p = numbers(l$pointwise[, "p_loo"]),
    k = numbers(l$diagnostics$pareto_k), n_eff = numbers(l$diagnostics$n_eff),
    total = numbers(l$estimates["elpd_loo", ]),
    waic = numbers(w$pointwise[, "elpd_waic"]), p_waic = numbers(w$pointwise[, "p_waic"])))
})
writeLines(paste0("{\"chains\":[\n", paste(chains, collapse = ",\n"), "\n],\n\"predictions\":[\n", paste(predictions, collapse = ",\n"), "\n]}"), "reference.json")
