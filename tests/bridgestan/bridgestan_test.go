// Package bridgestan_test drives the shared objects of models as a sampler does: from Python, by ctypes.
package bridgestan_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/tools/irc/product"
)

// python is Debian's, which has its emcee.
const python = "/usr/bin/python3"

func TestMain(m *testing.M) {
	product.ServeIfChild()
	os.Exit(m.Run())
}

// irc runs a command line; fails says that it has to.
func irc(t *testing.T, fails bool, args ...string) (out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := product.All().Main(args, strings.NewReader(""), &stdout, &stderr); (code != 0) != fails {
		t.Fatalf("irc %s: exit %d\n%s", strings.Join(args, " "), code, &stderr)
	}
	return stdout.String(), stderr.String()
}

// needs skips where there is nothing to link or to drive with.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	if !jit.Doctor().Found {
		t.Skip("needs libLLVM")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("needs %s", p)
		}
	}
}

// drive runs a part of drive.py.
func drive(t *testing.T, part string, args ...string) {
	t.Helper()
	out, err := exec.Command(python, append([]string{filepath.Join("testdata", "drive.py"), part}, args...)...).CombinedOutput()
	if text := strings.TrimSpace(string(out)); err != nil || text != "ok" && !strings.HasPrefix(text, "skip") {
		t.Errorf("%s: %v\n%s", part, err, text)
	} else if text != "ok" {
		t.Skip(text)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Models with the transforms that there are: one has a simplex, jaw a matrix, isotonic an ordered vector, dugongs
// intervals, and birats vectors.
const simplex = `model {
  x[1:3] ~ dmulti(p[], 20)
  p[1:3] ~ ddirch(alpha[])
  for (i in 1:3) { r[i] <- p[i] / p[1] }
  spread <- sd(p[])
}`

// The second derivatives of its density take trigamma.
const shape = `model {
  for (i in 1:3) { x[i] ~ dgamma(s, r) }
  s ~ dexp(1)
  r ~ dexp(alpha[1])
}`

const simplexData = `{"x": [3, 7, 10], "alpha": [1, 2, 0.5]}`

func library(t *testing.T, dir, name string) (so, reference string) {
	t.Helper()
	model, data := filepath.Join("../../examples/bugs", name+".bug"), filepath.Join("../../examples/bugs", name+"-data.json")
	if text := map[string]string{"simplex": simplex, "shape": shape}[name]; text != "" {
		model, data = write(t, dir, name+".bug", text), write(t, dir, name+"-data.json", simplexData)
	}
	so = filepath.Join(dir, name+".so")
	irc(t, false, "-emit=so", "-data="+data, model, "-o", so)
	n, err := exec.Command(python, "testdata/drive.py", "points", so).Output()
	if err != nil {
		t.Fatal(err)
	}
	points := write(t, dir, name+"-points.json", string(n))
	out, _ := irc(t, false, "logdensity", "-scale=unconstrained", "-gradient", "-json", "-points="+points, "-data="+data, model)
	return so, write(t, dir, name+"-reference.json", out)
}

// A library says what `irc logdensity` says: names, densities, Jacobians and gradients; maps go there and back; Hessians are
// near those of differences, and linear to rounding.
func TestLibrariesAgree(t *testing.T) {
	needs(t, "cc", python)
	for _, name := range []string{"rats", "dugongs", "jaw", "isotonic", "simplex", "shape"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			so, reference := library(t, t.TempDir(), name)
			drive(t, "agree", so, reference)
		})
	}
}

const small = `model {
  for (i in 1:4) { y[i] ~ dnorm(mu, 1) }
  mu ~ dnorm(0, 1)
  z ~ dpois(s)
  s ~ dgamma(3, 2)
  q <- mu * mu
}`

// One model: what its data may be, threads, and samplers.
func TestLibraryOfSmallModel(t *testing.T) {
	needs(t, "cc", python)
	dir := t.TempDir()
	model, data := write(t, dir, "small.bug", small), write(t, dir, "small.json", `{"y": [1, 0.5, 2, 1.5], "z": 2}`)
	so := filepath.Join(dir, "small.so")
	irc(t, false, "-emit=so", "-data="+data, model, "-o", so)
	for _, part := range []string{"data", "hostile", "threads", "leapfrog", "emcee", "byaddress"} {
		t.Run(part, func(t *testing.T) { drive(t, part, so, data) })
	}
	header, err := os.ReadFile(filepath.Join(dir, "small.h"))
	if err != nil || !bytes.Contains(header, []byte("bs_log_density_gradient")) {
		t.Errorf("no header beside: %v", err)
	}
}

const drawing = `model {
  for (i in 1:4) { y[i] ~ dnorm(mu, tau) y.rep[i] ~ dnorm(mu, tau) }
  mu ~ dnorm(0, 1)
  tau ~ dgamma(2, 2)
  k ~ dpois(exp(mu))
  late <- 2 * k + sum(y.rep[])
}`

const undrawn = `model {
  for (i in 1:4) { y[i] ~ dnorm(mu, 1) }
  mu ~ dnorm(0, 1)
  q[1:2] ~ ddirch(alpha[])
}`

// Generated quantities are drawn by a generator, and a model that draws what no library can says so.
func TestGeneratedQuantities(t *testing.T) {
	needs(t, "cc", python)
	dir := t.TempDir()
	for name, text := range map[string]string{"drawing": drawing, "undrawn": undrawn} {
		model, data := write(t, dir, name+".bug", text), write(t, dir, name+".json", `{"y": [1, 0.5, 2, 1.5], "alpha": [1, 2]}`)
		so := filepath.Join(dir, name+".so")
		irc(t, false, "-emit=so", "-data="+data, model, "-o", so)
		drive(t, name, so)
	}
}

const c = `#include "m.h"
#include <stdio.h>
int main(void) {
	char *error = 0;
	bs_model *m = bs_model_construct("", 1, &error);
	double theta[] = {0.5, 0.2}, lp, g[2];
	int rc = bs_log_density_gradient(m, true, true, theta, &lp, g, &error);
	printf("%d %d %.6f %.6f %s\n", rc, bs_major_version, lp, g[0], bs_param_unc_names(m));
	bs_model_destruct(m);
	return 0;
}
`

// An object file is linked by whoever wants to, and has the density as before.
func TestObjectWithLibrary(t *testing.T) {
	needs(t, "cc")
	dir := t.TempDir()
	model, data := write(t, dir, "small.bug", small), write(t, dir, "small.json", `{"y": [1, 0.5, 2, 1.5], "z": 2}`)
	write(t, dir, "main.c", c)
	irc(t, false, "-emit=obj", "-scale=unconstrained", "-data="+data, model, "-o", filepath.Join(dir, "m.o"))
	build := exec.Command("cc", "-Wall", "-Werror", "-o", "main", "main.c", "m.o", "-lm")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "main")).CombinedOutput()
	// The derivative by mu is the sum of y less 5 mu.
	if err != nil || !strings.HasPrefix(string(out), "0 2 ") || !strings.HasSuffix(string(out), " 2.500000 mu,s\n") {
		t.Errorf("%v %s", err, out)
	}
}

// ld.lld links where there is no C compiler; where there is neither, that is told.
func TestLinkers(t *testing.T) {
	lld, err := exec.LookPath("ld.lld-19")
	if err != nil {
		t.Skip("needs ld.lld-19")
	}
	needs(t, python)
	dir := t.TempDir()
	model, data := write(t, dir, "small.bug", small), write(t, dir, "small.json", `{"y": [1, 0.5, 2, 1.5], "z": 2}`)
	so, bin := filepath.Join(dir, "small.so"), filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	_, said := irc(t, true, "-emit=so", "-data="+data, model, "-o", so)
	if !strings.Contains(said, "cc or ld.lld is not on PATH") || !strings.Contains(said, "-emit=obj") {
		t.Error(said)
	}
	if err := os.Symlink(lld, filepath.Join(bin, "ld.lld")); err != nil {
		t.Fatal(err)
	}
	irc(t, false, "-emit=so", "-data="+data, model, "-o", so)
	drive(t, "data", so, data)
	machine := write(t, dir, "arm.json", `{"kind": "cpu", "triple": "aarch64-unknown-linux-gnu", "cpu": "cortex-a53", "features": []}`)
	other := filepath.Join(dir, "arm.so")
	irc(t, false, "-emit=so", "-target="+machine, "-data="+data, model, "-o", other)
	f, err := elf.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if symbols, err := f.DynamicSymbols(); err != nil || f.Machine != elf.EM_AARCH64 || len(symbols) < 20 {
		t.Errorf("%v: %d symbols, %v", f.Machine, len(symbols), err)
	}
}

// What no library is made of says what to do instead.
func TestNoLibrary(t *testing.T) {
	needs(t, "cc")
	dir := t.TempDir()
	for _, x := range []struct{ name, model, data, want string }{
		{"discrete", "model { for (i in 1:2) { y[i] ~ dnorm(m[k], 1) m[i] ~ dnorm(0, 1) } k ~ dcat(p[]) p[1] <- 0.5 p[2] <- 0.5 }", `{"y": [1, 2]}`, "write the model with it summed out"},
		{"unbound", "model { for (i in 1:N) { y[i] ~ dnorm(m, 1) } m ~ dnorm(0, 1) }", `{"y": [1, 2]}`, "N is neither data nor defined"},
		{"fixed", "model { for (i in 1:2) { y[i] ~ dnorm(0, 1) } }", `{"y": [1, 2]}`, "no parameters"},
		{"lkj", "model { R[1:2, 1:2] ~ dlkjcorr(1) y ~ dnorm(R[1, 2], 1) }", `{"y": 1}`, "dlkjcorr"},
	} {
		model, data := write(t, dir, x.name+".bug", x.model), write(t, dir, x.name+".json", x.data)
		_, said := irc(t, true, "-emit=so", "-data="+data, model, "-o", filepath.Join(dir, "x.so"))
		if !strings.Contains(said, x.want) || strings.Contains(said, "internal error") {
			t.Errorf("%s: %s", x.name, said)
		}
	}
	model, data := write(t, dir, "small.bug", small), write(t, dir, "small.json", `{"y": [1, 0.5, 2, 1.5], "z": 2}`)
	machine := write(t, dir, "riscv32.json", `{"kind": "cpu", "triple": "riscv32-unknown-linux-gnu", "cpu": "generic-rv32", "features": ["+m", "+a", "+f", "+d"]}`)
	_, said := irc(t, true, "-emit=obj", "-scale=unconstrained", "-target="+machine, "-data="+data, model, "-o", filepath.Join(dir, "x.so"))
	if !strings.Contains(said, "64 bits") {
		t.Error(said)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.so")); err == nil {
		t.Error("a file is left of what failed")
	}
}

// Functions are shared as -emit=obj has them.
func TestSharedFunctions(t *testing.T) {
	needs(t, "cc", python)
	dir := t.TempDir()
	file := write(t, dir, "f.mlir", "func.func @f(%x: f64) -> f64 {\n  %y = arith.addf %x, %x : f64\n  return %y : f64\n}\n")
	so := filepath.Join(dir, "f.so")
	irc(t, false, "-emit=so", file, "-o", so)
	drive(t, "function", so)
}

// R drives a library by .C, as the package bridgestan for R does.
func TestLibraryFromR(t *testing.T) {
	needs(t, "cc", python, "Rscript")
	for _, name := range []string{"rats", "simplex"} {
		so, _ := library(t, t.TempDir(), name)
		if out, err := exec.Command("Rscript", "testdata/drive.R", so).CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "ok" {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
