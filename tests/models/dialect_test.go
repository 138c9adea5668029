package models_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
)

// both runs irc on a model in a file and gives what it prints and says.
func both(t *testing.T, program string, args ...string) (status int, out, said string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.bug")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	p := product.All()
	status = p.Main(append(args, file), strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// Without -dialect a model that only JAGS reads is JAGS, with a note, and gives what it
// gives with -dialect=jags; with -dialect=bugs, or -strict, it is an error.
func TestOnlyJAGSReads(t *testing.T) {
	const priors = "for (i in 1:2) { a0[i] ~ dnorm(i, 1) mu[i] <- i for (j in 1:2) { Om[i, j] <- 2 * equals(i, j) } }\n"
	for _, c := range []struct{ model, why string }{
		{"a <- sort(a0)\n y ~ dnorm(a[1], 1)", "a is an array"},
		{"y ~ dmnorm(mu, Om)", "the node must be a vector"},
		{"m <- Om %*% a0\n y ~ dnorm(m[2], 1)", "m is an array"},
	} {
		program := "model {\n" + priors + c.model + "\n}\n"
		density := []string{"logdensity", "-engine=eval", "-fill-inits=prior"}
		status, want, said := both(t, program, append(density, "-dialect=jags")...)
		if status != 0 || said != "" {
			t.Fatalf("%s: status %d: %s", program, status, said)
		}
		status, out, said := both(t, program, density...)
		if status != 0 || out != want {
			t.Errorf("%s: status %d\n%s%s, want\n%s", program, status, out, said, want)
		}
		if !strings.Contains(said, "note: the model is read as JAGS") || !strings.Contains(said, c.why) || !strings.Contains(said, "-dialect=jags") || !strings.Contains(said, "^") {
			t.Errorf("%s: %s", program, said)
		}
		for _, flag := range []string{"-dialect=bugs", "-strict"} {
			if status, _, said := both(t, program, append(density, flag)...); status != 1 || !strings.Contains(said, "error: ") || strings.Contains(said, "as JAGS") {
				t.Errorf("%s, %s: status %d: %s", program, flag, status, said)
			}
		}
		for _, args := range [][]string{{"run"}, {"explain"}, {"-emit=generic"}} {
			if status, _, said := both(t, program, args...); status != 0 || !strings.Contains(said, "read as JAGS") {
				t.Errorf("%v: status %d: %s", args, status, said)
			}
		}
	}
}

// What both read is BUGS, without a word: `:` binds looser than in JAGS there.
func TestBothRead(t *testing.T) {
	status, out, said := both(t, "model { y <- sum(x[1:1+1])\n z ~ dnorm(y, 1) }", "logdensity", "-engine=eval", "-D", "z=3", "-data="+written(t, t.TempDir(), "d.json", map[string]any{"x": []int{1, 2, 4}}))
	if status != 0 || !strings.HasPrefix(out, "logp          -0.918938533204672") || strings.Contains(said, "is read as") {
		t.Errorf("status %d: %s%s", status, out, said)
	}
}

// What neither reads is told of the dialect that gets further, and names the other.
func TestNeitherReads(t *testing.T) {
	for program, want := range map[string][]string{
		"model { y ~ dfoo(1) }": {"unknown distribution dfoo", "read as BUGS; as JAGS (-dialect=jags) it has this error, too"},
		"model { a <- sort(b)\n for (i in 1:3) { b[i] ~ dnorm(0, 1) }\n y ~ dnorm(a[7], 1) }": {
			":3:14: error: index 7 of a is out of range", ":1:9: note: read as JAGS; as BUGS (-dialect=bugs): a is an array"},
	} {
		status, _, said := both(t, program, "logdensity", "-engine=eval", "-fill-inits=prior")
		if status != 1 || strings.Count(said, "error: ") != 1 {
			t.Errorf("%s: status %d: %s", program, status, said)
		}
		for _, w := range want {
			if !strings.Contains(said, w) {
				t.Errorf("%s: no %q in\n%s", program, w, said)
			}
		}
	}
}

// A model without data needs none; one that needs some says what is missing.
func TestNoData(t *testing.T) {
	const model = "model { m ~ dnorm(0, 1) }"
	if status, out, said := both(t, model, "logdensity", "-engine=eval", "-fill-inits=prior"); status != 0 || said != "" || !strings.HasPrefix(out, "logp          -0.9189385332046727\n") {
		t.Errorf("status %d: %s%s", status, out, said)
	}
	if status, out, said := both(t, model, "run"); status != 0 || !strings.HasPrefix(out, `{"m":`) {
		t.Errorf("status %d: %s%s", status, out, said)
	}
	for _, args := range [][]string{{"explain"}, {"-emit=generic"}, {"logdensity", "-scale=unconstrained", "-fill-inits=prior"}} {
		if status, _, said := both(t, model, args...); status != 0 || said != "" {
			t.Errorf("%v: status %d: %s", args, status, said)
		}
	}
	status, _, said := both(t, "model { for (i in 1:N) { y[i] ~ dnorm(0, 1) } }", "run")
	if status != 1 || !strings.Contains(said, "N is neither data nor defined") || !strings.Contains(said, "the model is given no data (-data FILE)") {
		t.Errorf("status %d: %s", status, said)
	}
}

// A file for Stan is called that, by whatever name.
func TestStan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.stan")
	if err := os.WriteFile(file, []byte("parameters {\n  real mu;\n}\nmodel {\n  mu ~ normal(0, 1);\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	p := product.All()
	if status := p.Main([]string{"logdensity", file}, strings.NewReader(""), &out, &errs); status != 1 || !strings.Contains(errs.String(), "m.stan:1:1: error: this is a program for Stan") {
		t.Errorf("status %d: %s", status, errs.String())
	}
	if status, _, said := both(t, "model { real ~ dnorm(0, 1)\n int <- real + 1\n vector[1] <- real\n }", "run"); status != 0 {
		t.Errorf("these are names in BUGS: status %d: %s", status, said)
	}
}
