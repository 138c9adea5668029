package models_test

import (
	"os"
	"path/filepath"
	"testing"
)

// found are models that once went wrong, with data and a point.
var found = map[string][3]string{
	// The density left to its setup what the setup did not know to follow from data.
	"a logical node that folds to a constant": {`model {
  for (i in 1:N) { s[i] <- sum(d[i, 7:i]) }
  for (i in 1:N) { for (j in 1:i) { d[i, j] ~ dnorm(0, 1) } }
  alpha ~ dnorm(0.7, pow(ifelse(s[1] > s[1], s[1], cov[N]), 2) + 0.2)
  for (i in 1:N) { for (j in 1:i) { a[i, j] ~ dnorm(s[i], 1.5) } }
}`, `{"N": 1, "cov": [-0.16], "a": [[-0.19]]}`, `{"d": [[0.47]], "alpha": 0.56}`},
	// Taken for x log y, which is 0 where x is.
	"a product with a logarithm, or 0": {`model {
  for (i in 1:N) {
    z[i] ~ dloglik(phi[i])
    phi[i] <- ifelse(x[i] > 3, 0, x[i] * log(y)) + ifelse(x[i] == 4, 0, x[i] * log(y)) + ifelse(x[i] < 0, 0, x[i] * log(y))
    x[i] ~ dnorm(0, 1)
  }
  y ~ dexp(1)
}`, `{"N": 4, "z": [0, 0, 0, 0]}`, `{"x": [4, 2, 0, -1], "y": 2}`},
	"a category picks the row of a part": {`model {
  for (i in 1:N) { y[i] ~ dnorm(mean(m[z[i], 1:i]), 1) z[i] ~ dcat(p[]) }
  for (k in 1:2) { for (i in 1:N) { m[k, i] ~ dnorm(0, 1) } }
}`, `{"N": 3, "p": [0.4, 0.6], "y": [1, 2, 3]}`, `{"z": [2, 1, 2], "m": [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]}`},
}

func TestFound(t *testing.T) {
	for name, f := range found {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			paths := [3]string{filepath.Join(dir, "m.bug"), filepath.Join(dir, "d.json"), filepath.Join(dir, "i.json")}
			for i, p := range paths {
				if err := os.WriteFile(p, []byte(f[i]), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			against(t, example{name: name, program: paths[0], data: paths[1], inits: paths[2]}, 3, engines())
		})
	}
}
