# Drives a model from R by .C, as the package bridgestan does: each argument is an address, and a pointer is 8 raw bytes.
arguments <- commandArgs(trailingOnly = TRUE)
library <- arguments[1]
name <- tools::file_path_sans_ext(basename(library))
dyn.load(library)
call <- function(f, ...) .C(f, ..., PACKAGE = name)
failed <- function(r) {
  call("bs_free_error_msg_R", as.raw(r$err_ptr))
  r$err_msg
}
construct <- function(data) {
  call("bs_model_construct_R", as.character(data), as.integer(1), ptr_out = raw(8), err_msg = "", err_ptr = raw(8))
}

r <- construct("")
stopifnot(any(r$ptr_out != 0))
model <- r$ptr_out
stopifnot(call("bs_version_R", major = 0L, minor = 0L, patch = 0L)$major == 2)
n <- call("bs_param_unc_num_R", as.raw(model), num = 0L)$num
names <- strsplit(call("bs_param_names_R", as.raw(model), FALSE, FALSE, names_out = "")$names_out, ",")[[1]]
stopifnot(length(names) == call("bs_param_num_R", as.raw(model), FALSE, FALSE, num = 0L)$num)

density <- function(theta) {
  r <- call("bs_log_density_R", as.raw(model), TRUE, TRUE, as.double(theta), val = double(1), return_code = 0L, err_msg = "", err_ptr = raw(8), NAOK = TRUE)
  stopifnot(r$return_code == 0)
  r$val
}
theta <- seq(-0.2, 0.3, length.out = n)
r <- call("bs_log_density_gradient_R", as.raw(model), TRUE, TRUE, theta, val = double(1), gradient = double(n), return_code = 0L, err_msg = "", err_ptr = raw(8), NAOK = TRUE)
stopifnot(r$return_code == 0, abs(r$val - density(theta)) <= 1e-9 * abs(r$val))
for (i in seq_len(n)) {
  h <- 1e-5 * max(1, abs(theta[i]))
  step <- replace(numeric(n), i, h)
  slope <- (density(theta + step) - density(theta - step)) / (2 * h)
  if (abs(slope - r$gradient[i]) > 1e-5 * max(1, abs(slope), abs(r$val))) stop(names[i], ": ", r$gradient[i], ", by differences ", slope)
}

back <- call("bs_param_constrain_R", as.raw(model), FALSE, FALSE, theta, theta = double(length(names)), rng = raw(8), return_code = 0L, err_msg = "", err_ptr = raw(8), NAOK = TRUE)
stopifnot(back$return_code == 0)
again <- call("bs_param_unconstrain_R", as.raw(model), back$theta, theta_unc = double(n), return_code = 0L, err_msg = "", err_ptr = raw(8), NAOK = TRUE)
stopifnot(again$return_code == 0, max(abs(again$theta_unc - theta)) < 1e-9)

r <- construct("{")
stopifnot(all(r$ptr_out == 0), nchar(failed(r)) > 0)
invisible(call("bs_model_destruct_R", as.raw(model)))
cat("ok\n")
