package models

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/tools/irc/product"
)

// density runs irc logdensity on a model and data: whatever they are, it ends
// soon, with a number or with a diagnostic.
func density(t *testing.T, model, data, ext string) (status int, out string) {
	t.Helper()
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "m.bug"), filepath.Join(dir, "d."+ext)}
	for i, s := range []string{model, data} {
		if err := os.WriteFile(files[i], []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	p := product.All()
	spent := irtest.Work()
	status = p.Main([]string{"logdensity", "-engine=eval", "-fill-inits=prior", "-timeout=30s", "-fuel=1000000", "-json",
		"-reproduce=" + filepath.Join(dir, "crash"), "-data=" + files[1], files[0]}, strings.NewReader(""), &stdout, &stderr)
	switch took := spent(); {
	case status != 0 && status != 1:
		t.Fatalf("status %d: %.3000s\nmodel %q\ndata %q", status, stderr.String(), model, data)
	case status == 1 && !strings.Contains(stderr.String(), "error"):
		t.Fatalf("no reason is given: %.1000s", stderr.String())
	case status == 0 && !strings.Contains(stdout.String(), `"logp"`):
		t.Fatalf("no density is given: %.1000s", stdout.String())
	case took > 20*time.Second:
		t.Fatalf("it took %v\nmodel %q\ndata %q", took, model, data)
	}
	return status, stdout.String()
}

// FuzzLogDensityText changes the texts of models and data.
func FuzzLogDensityText(f *testing.F) {
	for _, name := range []string{"pumps", "seeds", "dyes", "asia", "biopsies", "camel"} {
		m, err := os.ReadFile("../../examples/bugs/" + name + ".bug")
		if err != nil {
			f.Fatal(err)
		}
		for _, ext := range []string{"json", "R"} {
			d, err := os.ReadFile("../../examples/bugs/" + name + "-data." + ext)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(m), string(d), ext == "R")
		}
	}
	f.Add("model { for (i in 1:N) { y[i] ~ dnorm(mu, tau) } mu ~ dnorm(0, 1) tau ~ dgamma(1, 1) }", `{"N": 2, "y": [1, null]}`, false)
	// Found: an array of no elements, elementwise with a number.
	f.Add("model { e <- max(0, a - 0)  for (i in N:0) { a[1:2] ~ dnorm(0, 1)  a ~ dnorm(0, 1) }  y ~ dnorm(0, 1) }", `{"N": 3, "y": 1}`, false)
	f.Fuzz(func(t *testing.T, model, data string, r bool) {
		ext := "json"
		if r {
			ext = "R"
		}
		density(t, model, data, ext)
	})
}

// FuzzLogDensity makes models of bytes that are mostly right: statements, loops,
// indices and data that fit together more often than chance.
func FuzzLogDensity(f *testing.F) {
	for i := range 24 {
		b := make([]byte, 8+6*i)
		for k := range b {
			b[k] = byte(37*k*(i+1) + i*i)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &modeller{data: data}
		density(t, w.model(), w.values(), "json")
	})
}

// modeller writes a model by the choices of bytes.
type modeller struct {
	data  []byte
	b     strings.Builder
	loops int
}

func (w *modeller) pick(n int) int {
	if len(w.data) == 0 {
		return 0
	}
	x := int(w.data[0]) % n
	w.data = w.data[1:]
	return x
}

func (w *modeller) of(words ...string) string { return words[w.pick(len(words))] }

func (w *modeller) model() string {
	w.b.WriteString("model {\n")
	for n := 0; len(w.data) > 12 && n < 12; n++ {
		w.statement()
	}
	w.b.WriteString("  for (i in 1:N) { y[i] ~ dnorm(mu[i], tau)  mu[i] <- alpha + beta * x[i] }\n  alpha ~ dnorm(0, 0.01) beta ~ dnorm(0, 0.01) tau ~ dgamma(1, 1)\n}\n")
	return w.b.String()
}

func (w *modeller) statement() {
	switch k := w.pick(8); {
	case k < 2 && w.loops < 3:
		fmt.Fprintf(&w.b, "for (%s in %s:%s) {\n", []string{"i", "j", "k"}[w.loops], w.of("1", "1", "2", "0", "N", "K"), w.of("N", "K", "3", "N-1", "K+1", "0", "z[1]"))
		w.loops++
		w.statement()
		w.statement()
		w.loops--
		w.b.WriteString("}\n")
	case k < 5:
		fmt.Fprintf(&w.b, "%s ~ %s\n", w.place(), w.distribution())
	default:
		fmt.Fprintf(&w.b, "%s <- %s\n", w.place(), w.expr(3))
	}
}

// place is what a statement defines: rarely the same twice.
func (w *modeller) place() string {
	v := w.of("a", "b", "c", "d", "e", "g", "h", "w")
	switch w.pick(4) {
	case 0:
		return v
	case 1:
		return v + "[" + w.index() + "," + w.index() + "]"
	case 2:
		return v + "[" + w.of("1", "2", "1:2", "N", "") + "]"
	}
	return v + "[" + w.index() + "]"
}

func (w *modeller) index() string {
	if w.loops == 0 {
		return w.of("1", "2", "N", "K")
	}
	return w.of([]string{"i", "j", "k"}[w.pick(w.loops)], "1", "i", "i+1", "N-i+1", "z[i]")
}

func (w *modeller) distribution() string {
	args := func(n int) string {
		var out []string
		for range n {
			out = append(out, w.expr(2))
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	switch w.pick(10) {
	case 0, 1, 2:
		return w.of("dnorm", "dunif", "dgamma", "dbeta", "dbin", "dlnorm", "dlogis", "dweib") + args(2)
	case 3:
		return w.of("dpois", "dexp", "dbern", "dchisqr", "dcat", "dgeom") + args(1)
	case 4:
		return w.of("dt", "dgen.gamma") + args(3)
	case 5:
		return "dnorm" + args(2) + w.of("T(0,)", "T(,1)", "I(0,1)", "T(1,0)", "C(0,)")
	case 6:
		return w.of("dcat(p[])", "dmnorm(m[], R[,])", "ddirch(p[])", "dmulti(p[], 3)", "dwish(R[,], 2)")
	}
	return "dnorm(0, 1)"
}

func (w *modeller) expr(depth int) string {
	if depth == 0 {
		return w.of("0", "1", "2.5", "x[1]", "y[2]", "alpha", "a", "b", "N", "-1", "1.0E-3", "p[1]")
	}
	sub := func() string { return w.expr(depth - 1) }
	switch w.pick(10) {
	case 0, 1:
		return sub() + w.of(" + ", " - ", " * ", " / ") + sub()
	case 2:
		return "(" + sub() + ")^" + w.of("2", "0.5", "-1")
	case 3:
		return w.of("exp", "log", "sqrt", "abs", "phi", "logit", "ilogit", "cloglog", "loggam", "round", "trunc", "step") + "(" + sub() + ")"
	case 4:
		return w.of("max", "min", "pow", "equals") + "(" + sub() + ", " + sub() + ")"
	case 5:
		return w.of("sum(x[])", "mean(y[1:2])", "inprod(x[], y[])", "sd(x[])", "sum(a[1:N])", "max(x[])", "prod(y[])")
	case 6:
		return w.of("a", "b", "c", "d", "x", "y", "mu", "p") + "[" + w.index() + "]"
	}
	return w.expr(0)
}

// values are the data: what models above need, with what may be missing or odd.
func (w *modeller) values() string {
	return fmt.Sprintf(`{"N": %s, "K": %s, "x": [%s, 2, 3], "y": [1.5, %s, 2], "z": [%s, 1, 2], "p": [0.2, %s, 0.5], "m": [0, 0], "R": [[1, %s], [0.1, 1]]}`,
		w.of("3", "3", "3", "2", "0", "-1", "1.5"), w.of("2", "3", "0"), w.of("1", "0", "-1", "1e308", "null"), w.of("null", "2", "0", "\"NaN\""),
		w.of("1", "2", "9", "0", "1.5"), w.of("0.3", "0", "-1"), w.of("0.1", "2"))
}
