package models_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
)

const objectMain = `
#include "m.h"
#include <stdio.h>
static double y[] = {1, 2, 3}, z[] = {1, 2, 3}, n[] = {5, 6, 7}, a = 0.1, p = 0.5, b[] = {0.2, 0.3}, sums[5], setup[64];
static void eval(double g0, double g1, double g2) {
	double g[] = {g0, g1, g2};
	struct logdensity_results r = {0, -9, -9};
	int32_t s = logdensity_setup_checked(y, z, &a, &p, b, g, n, sums, setup);
	if (s == 0)
		s = logdensity_checked(&r, y, z, &a, &p, b, g, n, sums, setup);
	printf("%.6f %d %s\n", r.result0, r.result1, irc_trap_text(s));
}
int main(void) {
	eval(1, 2, 1);
	eval(2, 3, 1);
	p = -1;
	eval(1, 2, 1);
	return 0;
}
`

// The object of a model goes on where data of another call put an index out of range.
func TestObjectOfModel(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil || !jit.Doctor().Found {
		t.Skip("needs cc and libLLVM")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.bug":  "model { for (i in 1:N) { y[i] ~ dpois(exp(a + b[g[i]])); z[i] ~ dbin(p, n[i]) } a ~ dnorm(0, 0.1); p ~ dbeta(1, 1); for (k in 1:2) { b[k] ~ dnorm(0, 1) } }",
		"d.json": `{"N": 3, "y": [1, 2, 3], "g": [1, 2, 1], "z": [1, 2, 3], "n": [5, 6, 7]}`,
		"main.c": objectMain,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	irc(t, "-emit=obj", "-data="+at("d.json"), "-o", at("m.o"), at("m.bug"))
	build := exec.Command(cc, "-Wall", "-Werror", "-o", "main", "main.c", "m.o", "-lm")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(at("main")).CombinedOutput()
	lines := strings.Split(string(out), "\n")
	if err != nil || len(lines) != 4 || !strings.HasSuffix(lines[0], " 0 ") ||
		!strings.Contains(lines[1], "out of bounds") || lines[2] != "-inf 1 " {
		t.Errorf("%v\n%s", err, out)
	}
}
