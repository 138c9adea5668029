package bugstest

// Orders are the programs of the paper "Generating sequential code from BUGS programs", and
// what becomes of their loops.
var Orders = []struct{ Name, Model, Data, Want string }{
	{"rats keeps its loops", `
	  for (i in 1:N) {
	    for (j in 1:T) {
	      Y[i, j] ~ dnorm(mu[i, j], tau.c)
	      mu[i, j] <- alpha[i] + beta[i] * (x[j] - xbar)
	    }
	    alpha[i] ~ dnorm(alpha.c, 1)
	    beta[i] ~ dnorm(0, 1)
	  }
	  tau.c ~ dgamma(1, 1)
	  sigma <- 1 / sqrt(tau.c)
	  alpha.c ~ dnorm(0, 1)`, `{"N": 2, "T": 2, "x": [1, 2], "xbar": 1, "Y": [[1, 2], [3, 4]]}`, `
tau.c ~ dgamma(1, 1)
sigma <- 1 / sqrt(tau.c)
alpha.c ~ dnorm(0, 1)
for (i in 1:N) {
  alpha[i] ~ dnorm(alpha.c, 1)
  beta[i] ~ dnorm(0, 1)
  for (j in 1:T) {
    mu[i, j] <- alpha[i] + beta[i] * (x[j] - xbar)
    Y[i, j] ~ dnorm(mu[i, j], tau.c)
  }
}`},
	{"fission", `for (i in 1:3) { x[i] ~ dnorm(0, 1)  y[i] ~ dnorm(x[3], i) }`, ``, `
for (i in 1:3) {
  x[i] ~ dnorm(0, 1)
}
for (i in 1:3) {
  y[i] ~ dnorm(x[3], i)
}`},
	{"fission of an inner loop only", `
	  for (i in 1:2) { for (j in 1:3) { x[i, j] ~ dnorm(0, j)  y[i, j] ~ dnorm(x[i, 3], i) } }`, ``, `
for (i in 1:2) {
  for (j in 1:3) {
    x[i, j] ~ dnorm(0, j)
  }
  for (j in 1:3) {
    y[i, j] ~ dnorm(x[i, 3], i)
  }
}`},
	{"recurrence", `for (i in 2:5) { x[i] <- x[i - 1] + i }  x[1] ~ dnorm(0, 1)`, ``, `
x[1] ~ dnorm(0, 1)
for (i in 2:5) {
  x[i] <- x[i - 1] + i
}`},
	{"state space", `
	  for (i in 2:4) { s[i] ~ dnorm(f * s[i - 1], 1)  Y[i] ~ dnorm(m[i], 1)  m[i] <- s[i] * 2 }
	  s[1] ~ dnorm(f, 1)  f ~ dnorm(0, 1)`, `{"Y": [null, 2, 3, 4]}`, `
f ~ dnorm(0, 1)
s[1] ~ dnorm(f, 1)
for (i in 2:4) {
  s[i] ~ dnorm(f * s[i - 1], 1)
  m[i] <- s[i] * 2
  Y[i] ~ dnorm(m[i], 1)
}`},
	{"two states in two loops take turns in one", `
	  for (t in 2:4) { x[t] ~ dnorm(z[t - 1], 1) }
	  for (u in 2:4) { z[u] <- x[u] + z[u - 1] }
	  x[1] ~ dnorm(0, 1)  z[1] <- x[1]`, ``, `
x[1] ~ dnorm(0, 1)
z[1] <- x[1]
for (t in 2:4) {
  x[t] ~ dnorm(z[t - 1], 1)
  z[u] <- x[u] + z[u - 1]
}`},
	{"recurrence along rows", `
	  for (i in 1:2) { for (j in 2:3) { x[i, j] ~ dnorm(x[i, j - 1] + x[3 - i, 1], 1) }  x[i, 1] ~ dnorm(0, 1) }`, ``, `
for (i in 1:2) {
  x[i, 1] ~ dnorm(0, 1)
}
for (i in 1:2) {
  for (j in 2:3) {
    x[i, j] ~ dnorm(x[i, j - 1] + x[3 - i, 1], 1)
  }
}`},
	{"an index that is a node reaches all elements", `
	  for (i in 1:2) { mu[i] <- b[J[i]]  J[i] <- 1 + step(c - i) }
	  for (i in 1:2) { b[i] ~ dnorm(0, 1) }  c ~ dnorm(0, 1)`, ``, `
for (i in 1:2) {
  b[i] ~ dnorm(0, 1)
}
c ~ dnorm(0, 1)
for (i in 1:2) {
  J[i] <- 1 + step(c - i)
  mu[i] <- b[J[i]]
}`},
	{"a program in order stays as it is", `
	  for (i in 1:3) { a[i] ~ dnorm(0, 1)  b[i] <- a[i] * 2 }
	  for (j in 1:3) { c[j] <- b[4 - j]  for (k in 1:2) { d[j, k] <- c[j] + k } }
	  s ~ dnorm(sum(d[,]), 1)
	  for (i in 1:3) { e[i] ~ dnorm(s, 1) }
	  t <- s + 1`, ``, `
for (i in 1:3) {
  a[i] ~ dnorm(0, 1)
  b[i] <- a[i] * 2
}
for (j in 1:3) {
  c[j] <- b[4 - j]
  for (k in 1:2) {
    d[j, k] <- c[j] + k
  }
}
s ~ dnorm(sum(d[,]), 1)
for (i in 1:3) {
  e[i] ~ dnorm(s, 1)
}
t <- s + 1`},
	{"a loop runs backward", `
	  for (i in 1:5) { x[i] <- x[i + 1] + i  y[i] ~ dnorm(x[i], 1) }  x[6] ~ dnorm(0, 1)`, ``, `
x[6] ~ dnorm(0, 1)
for (i in (5):(1)) {
  x[i] <- x[i + 1] + i
  y[i] ~ dnorm(x[i], 1)
}`},
	{"loops take turns", `
	  sumX[1] <- x[1]
	  for (i in 2:N) { sumX[i] <- sumX[i - 1] + x[i] }
	  for (i in 1:2) { x[2 * i] ~ dnorm(sumX[2 * i - 1], tau) }
	  for (i in 1:2) { x[2 * i + 1] ~ dgamma(abs(sumX[2 * i]) + 1, tau) }
	  x[1] ~ dnorm(0, 1)
	  tau ~ dgamma(1, 1)`, `{"N": 5}`, `
x[1] ~ dnorm(0, 1)
sumX[1] <- x[1]
tau ~ dgamma(1, 1)
for (turn in 1:2) {
  x[2 * i] ~ dnorm(sumX[2 * i - 1], tau)  # i = turn
  sumX[i] <- sumX[i - 1] + x[i]  # i = 2 * turn
  x[2 * i + 1] ~ dgamma(abs(sumX[2 * i]) + 1, tau)  # i = turn
  sumX[i] <- sumX[i - 1] + x[i]  # i = 2 * turn + 1
}`},
	{"loops take turns and one ends first", `
	  sumX[1] <- x[1]
	  for (i in 2:N) { sumX[i] <- sumX[i - 1] + x[i] }
	  for (i in 1:3) { x[2 * i] ~ dnorm(sumX[2 * i - 1], tau) }
	  for (i in 1:2) { x[2 * i + 1] ~ dgamma(abs(sumX[2 * i]) + 1, tau) }
	  x[1] ~ dnorm(0, 1)
	  tau ~ dgamma(1, 1)`, `{"N": 6}`, `
x[1] ~ dnorm(0, 1)
sumX[1] <- x[1]
tau ~ dgamma(1, 1)
for (turn in 1:2) {
  x[2 * i] ~ dnorm(sumX[2 * i - 1], tau)  # i = turn
  sumX[i] <- sumX[i - 1] + x[i]  # i = 2 * turn
  x[2 * i + 1] ~ dgamma(abs(sumX[2 * i]) + 1, tau)  # i = turn
  sumX[i] <- sumX[i - 1] + x[i]  # i = 2 * turn + 1
}
for (turn in 3:3) {
  x[2 * i] ~ dnorm(sumX[2 * i - 1], tau)  # i = turn
  sumX[i] <- sumX[i - 1] + x[i]  # i = 2 * turn
}`},
	{"loops with inner loops take turns", `
	  for (t in 2:4) { for (r in 1:3) { S[t, r] <- S[t - 1, r] + x[t, r] } }
	  for (t in 1:2) { x[2 * t, 1] ~ dnorm(S[2 * t - 1, 3], 1)  for (r in 2:3) { x[2 * t, r] ~ dnorm(x[2 * t, r - 1], 1) } }
	  for (t in 1:2) { for (r in 1:3) { x[2 * t - 1, r] ~ dnorm(0, 1) } }
	  for (r in 1:3) { S[1, r] <- x[1, r] }`, ``, `
for (t in 1:2) {
  for (r in 1:3) {
    x[2 * t - 1, r] ~ dnorm(0, 1)
  }
}
for (r in 1:3) {
  S[1, r] <- x[1, r]
}
for (turn in 1:1) {
  x[2 * t, 1] ~ dnorm(S[2 * t - 1, 3], 1)  # t = turn
  for (r in 2:3) {  # t = turn
    x[2 * t, r] ~ dnorm(x[2 * t, r - 1], 1)
  }
  for (r in 1:3) {  # t = 2 * turn
    S[t, r] <- S[t - 1, r] + x[t, r]
  }
  for (r in 1:3) {  # t = 2 * turn + 1
    S[t, r] <- S[t - 1, r] + x[t, r]
  }
}
for (turn in 2:2) {
  x[2 * t, 1] ~ dnorm(S[2 * t - 1, 3], 1)  # t = turn
  for (r in 2:3) {  # t = turn
    x[2 * t, r] ~ dnorm(x[2 * t, r - 1], 1)
  }
  for (r in 1:3) {  # t = 2 * turn
    S[t, r] <- S[t - 1, r] + x[t, r]
  }
}`},
	// The paper's text has g(x[3]), which is a cycle of elements; its list of
	// dependences has x[2].
	{"indices from data", `
	  z[2] <- exp(x[1])
	  y[2] <- exp(x[2])
	  for (i in 1:3) { x[i] <- y[a[i]] + z[b[i]] }
	  y[3] ~ dnorm(0, 1) y[1] ~ dnorm(0, 1) z[3] ~ dnorm(0, 1) z[1] ~ dnorm(0, 1)`,
		`{"a": [2, 3, 1], "b": [3, 1, 2]}`, `
y[3] ~ dnorm(0, 1)
y[1] ~ dnorm(0, 1)
z[3] ~ dnorm(0, 1)
z[1] ~ dnorm(0, 1)
for (level in 1:5) {
  z[2] <- exp(x[1])
  y[2] <- exp(x[2])
  x[i] <- y[a[i]] + z[b[i]]  # for each (i) of the level
}`},
	// The paper has pi in the loop over k, where it would be defined K times.
	{"hidden Markov model", `
	  for (i in 2:T) {
	    s[i] ~ dcat(transition[s[i - 1], 1:K])
	    Y[i] ~ dnorm(mu[s[i]], tau[s[i]])
	  }
	  s[1] ~ dcat(pi[1:K])
	  for (k in 1:K) {
	    mu[k] ~ dnorm(0, 0.01)
	    tau[k] ~ dgamma(0.01, 0.01)
	    transition[k, 1:K] ~ ddirch(alpha[1:K])
	  }
	  pi[1:K] ~ ddirch(alpha[1:K])`, `{"T": 4, "K": 2, "alpha": [1, 1], "Y": [null, 1, 2, 3], "s": [1, 2, 1, 2]}`, `
for (k in 1:K) {
  mu[k] ~ dnorm(0, 0.01)
  tau[k] ~ dgamma(0.01, 0.01)
  transition[k, 1:K] ~ ddirch(alpha[1:K])
}
for (i in 2:T) {
  s[i] ~ dcat(transition[s[i - 1], 1:K])
  Y[i] ~ dnorm(mu[s[i]], tau[s[i]])
}
pi[1:K] ~ ddirch(alpha[1:K])
s[1] ~ dcat(pi[1:K])`},
	{"hidden Markov model, states unknown", `
	  for (i in 2:T) {
	    s[i] ~ dbern(p[i])
	    p[i] <- 0.2 + 0.5 * s[i - 1]
	    Y[i] ~ dnorm(mu[s[i] + 1], tau[s[i] + 1])
	  }
	  s[1] ~ dbern(0.5)
	  for (k in 1:2) { mu[k] ~ dnorm(0, 0.01)  tau[k] ~ dgamma(0.01, 0.01) }`, `{"T": 4, "Y": [null, 1, 2, 3]}`, `
s[1] ~ dbern(0.5)
for (k in 1:2) {
  mu[k] ~ dnorm(0, 0.01)
  tau[k] ~ dgamma(0.01, 0.01)
}
for (i in 2:T) {
  p[i] <- 0.2 + 0.5 * s[i - 1]
  s[i] ~ dbern(p[i])
  Y[i] ~ dnorm(mu[s[i] + 1], tau[s[i] + 1])
}`},
	{"coupled states at lag 1", `
	  for (t in 2:4) { x[t] ~ dnorm(z[t - 1], 1)  z[t] ~ dnorm(x[t - 1] + z[t - 1], 1) }
	  x[1] ~ dnorm(0, 1)  z[1] ~ dnorm(0, 1)`, ``, `
x[1] ~ dnorm(0, 1)
z[1] ~ dnorm(0, 1)
for (t in 2:4) {
  x[t] ~ dnorm(z[t - 1], 1)
  z[t] ~ dnorm(x[t - 1] + z[t - 1], 1)
}`},
	{"states on a grid and their observations", `
	  for (i in 1:2) { for (t in 1:3) { Y[i, t] ~ dnorm(x[i, t], 1) } }
	  for (i in 1:2) { x[i, 1] ~ dnorm(0, 1)  for (t in 2:3) { x[i, t] ~ dnorm(x[i, t - 1], 1) } }`,
		`{"Y": [[1, 2, 3], [4, 5, 6]]}`, `
for (i in 1:2) {
  x[i, 1] ~ dnorm(0, 1)
  for (t in 2:3) {
    x[i, t] ~ dnorm(x[i, t - 1], 1)
  }
}
for (i in 1:2) {
  for (t in 1:3) {
    Y[i, t] ~ dnorm(x[i, t], 1)
  }
}`},
	{"a matrix from its other corner", `
	  for (i in 1:3) { for (j in 1:3) { M[i, j] <- 0.5 * M[i + 1, j] + 0.25 * M[i, j + 1] } }
	  for (k in 1:4) { M[4, k] ~ dnorm(0, 1) }
	  for (k in 1:3) { M[k, 4] ~ dnorm(0, 1) }`, ``, `
for (k in 1:4) {
  M[4, k] ~ dnorm(0, 1)
}
for (k in 1:3) {
  M[k, 4] ~ dnorm(0, 1)
}
for (i in (3):(1)) {
  for (j in (3):(1)) {
    M[i, j] <- 0.5 * M[i + 1, j] + 0.25 * M[i, j + 1]
  }
}`},
	{"what the data say is gone", `
	  for (i in 1:2) { z[i] <- log(x[i])  y[i] ~ dnorm(z[i], 1) }`, `{"x": [1, 2], "y": [1, 2]}`, `
for (i in 1:2) {
  y[i] ~ dnorm(z[i], 1)
}`},
}
