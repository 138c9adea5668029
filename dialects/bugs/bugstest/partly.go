package bugstest

// Partly are models whose statements have nodes that are data and others that are not. With each go the loops
// that remain where observations are split off, and the masks of those that are not.
var Partly = []struct {
	Name, Model, Data string
	Loops, Masks      int
}{
	{"the paper's", `for (i in 1:2) { for (j in 1:5) { x[i, j] ~ dnorm(0, 1) } }`,
		`{"x": [[1, 2, null, 4, 5], [1, 2, null, 4, 5]]}`, 4, 0},
	{"a row", `for (i in 1:4) { for (j in 1:2) { x[i, j] ~ dnorm(m[i], 1) }  m[i] ~ dnorm(0, 1) }`,
		`{"x": [[1, 2], [null, null], [3, 4], [5, 6]]}`, 6, 0},
	{"the end", `for (i in 2:6) { x[i] ~ dnorm(x[i - 1], 1) }  x[1] ~ dnorm(0, 1)`, `{"x": [1, 2, 3, 4, null, null]}`, 2, 0},
	{"backward", `for (i in 1:5) { x[i] ~ dnorm(x[i + 1], 1) }  x[6] ~ dnorm(0, 1)`, `{"x": [1, 2, 3, 4, null, null]}`, 2, 0},
	{"two at once", `for (i in 1:6) { x[i] ~ dnorm(0, 1)  y[i] ~ dnorm(x[i], 1) }`,
		`{"x": [1, 2, 3, 4, null, null], "y": [null, 2, 3, 4, 5, 6]}`, 3, 0},
	{"in no pattern", `for (i in 1:3) { for (j in 1:3) { x[i, j] ~ dnorm(0, 1) } }`,
		`{"x": [[1, null, 3], [null, 2, 3], [1, 2, null]]}`, 2, 1},
	{"many runs", `for (i in 1:16) { x[i] ~ dnorm(0, 1) }`,
		`{"x": [1, null, 3, null, 1, null, 3, null, 1, null, 3, null, 1, null, 3, null]}`, 1, 1},
	{"a vector node", `for (i in 1:3) { x[i, 1:2] ~ dmnorm(m[], T[,]) }`,
		`{"x": [[1, 2], [null, null], [1, 4]], "m": [0, 0], "T": [[1, 0], [0, 1]]}`, 3, 0},
	{"a vector node in part", `for (i in 1:3) { x[i, 1:2] ~ dmnorm(m[], T[,]) }`,
		`{"x": [[1, 2], [3, null], [1, 4]], "m": [0, 0], "T": [[1, 0], [0, 1]]}`, 1, 1},
}

// Mixed has data that are computed in part.
var Mixed = struct{ Model, Data string }{
	`for (i in 1:5) { x[i] <- y[i] + 1 }
	  y[3] ~ dnorm(0, 1)  y[4] ~ dnorm(0, 1)
	  for (i in 1:5) { z[i] ~ dnorm(x[i], 1) }`,
	`{"y": [1, 2, null, null, 2], "z": [1, 2, 3, 4, 5]}`,
}
