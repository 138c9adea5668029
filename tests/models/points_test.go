package models_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
)

// without is a point as irc logdensity -json prints it, with or without a density.
type without struct {
	Logp                  any
	Status, Node, Message string
}

// Points without a density: what is said of each, that the others are evaluated, in
// order, and the exit status.
func TestPointsWithoutDensity(t *testing.T) {
	const precision = "model { y ~ dnorm(0, exp(a) - 1)  a ~ dnorm(0, 1) }"
	const interval = "model { for (i in 1:2) { y[i] ~ dnorm(m[i], 1)  m[i] ~ dunif(0, 1) } }"
	for _, c := range []struct {
		model, data, points, flags string
		code                       int
		want                       string // status and node of each, "-" of a density
	}{
		{precision, `{"y": 1}`, `[{"a": 1}, {"a": -1}, {"a": 2}]`, "", 1, "- invalid:y -"},
		{precision, `{"y": 1}`, "{\"a\": -1}\n{\"a\": 2}", "", 1, "invalid:y -"},
		{precision, `{"y": 1}`, "a\n1\n-1\n-2\n2\n", "", 1, "- invalid:y invalid:y -"},
		{precision, `{"y": 1}`, "[[1], [-1], [2]]", "-scale=unconstrained", 1, "- invalid:y -"},
		{"model { y ~ dnorm(0, tau)  tau ~ dgamma(1, 1) }", `{"y": 1}`, `[{"tau": -1}, {"tau": 1}]`, "", 1, "invalid:y -"},
		{"model { y ~ dnorm(m[k], 1)  k ~ dcat(p[]) }", `{"y": 1, "m": [1, 2], "p": [1, 1]}`, `[{"k": 2}, {"k": 3}, {"k": 1}]`, "", 1, "- invalid:y -"},
		{interval, `{"y": [1, 2]}`, `[{"m": [0.5, 0.5]}, {"m": [0.5, 2]}, {"m": [0.1, 0.5]}]`, "", 0, "- outside:m[2] -"},
		{interval, `{"y": [1, 2]}`, `[{"m": [0.5, 0.5]}, {"m": [0.5, 2]}, {"m": [0.1, 0.5]}]`, "-scale=unconstrained", 0, "- outside:m[2] -"},
		{"model { y ~ dnorm(0, tau)  tau ~ dgamma(a, 1)  a ~ dnorm(0, 1) }", `{"y": 1}`, `[{"a": 2}, {"a": -1}, {"a": 3}]`, "-fill-inits=prior", 1, "- invalid:tau -"},
	} {
		for _, engine := range engines() {
			dir := t.TempDir()
			put := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				return path
			}
			args := append([]string{"logdensity", "-json", "-engine=" + engine, "-data=" + put("d.json", c.data), "-points=" + put("p", c.points)}, strings.Fields(c.flags)...)
			var out, errs bytes.Buffer
			p := product.All()
			code := p.Main(append(args, put("m.bug", c.model)), strings.NewReader(""), &out, &errs)
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
				var x without
				if err := json.Unmarshal([]byte(line), &x); err != nil {
					t.Fatal(line, err, errs.String())
				}
				_, number := x.Logp.(float64)
				switch {
				case x.Status == "" && number:
					got = append(got, "-")
				case x.Logp == "-Infinity" && (x.Message != "") == (x.Status == "invalid" || strings.Contains(c.flags, "scale")):
					got = append(got, x.Status+":"+x.Node)
				default:
					got = append(got, line)
				}
			}
			if s := strings.Join(got, " "); s != c.want || code != c.code {
				t.Errorf("%s %s: exit %d, %s, want %s\n%s", c.model, c.points, code, s, c.want, errs.String())
			}
			if (code == 1) != strings.Contains(errs.String(), "note: at point") {
				t.Errorf("%s: exit %d and %q", c.points, code, errs.String())
			}
		}
	}
}

// A result is there before the next point is; an error of the input comes after the
// results before it.
func TestPointsAreStreamed(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "m.bug")
	if err := os.WriteFile(program, []byte("model { y ~ dnorm(a, 1)  a ~ dnorm(0, 1)  b ~ dnorm(0, 1) }"), 0o644); err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	results, out := io.Pipe()
	var errs bytes.Buffer
	done := make(chan int)
	go func() {
		p := product.All()
		code := p.Main([]string{"logdensity", "-engine=eval", "-D", "y=0", "-points=-", program}, in, out, &errs)
		out.Close()
		done <- code
	}()
	buf := make([]byte, 100)
	for i, text := range []string{"a,b\n0,0\n", "1,0\n", "0,1\n"} {
		if _, err := feed.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		n, err := results.Read(buf)
		if want := []string{"-2.756815599614018\n", "-3.756815599614018\n", "-3.256815599614018\n"}[i]; err != nil || string(buf[:n]) != want {
			t.Errorf("%q: %q, %v", text, buf[:n], err)
		}
	}
	go feed.Write([]byte("0\n"))
	if rest, _ := io.ReadAll(results); len(rest) > 0 {
		t.Errorf("more: %q", rest)
	}
	if code := <-done; code != 1 || !strings.Contains(errs.String(), "-:5:1: error: the number of fields is 1 here, 2 in the head") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}
