package models_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/tools/irc/product"
)

// Native code gives the same bytes on any number of cores: of densities, and of what is
// said of points that have none.
func TestCores(t *testing.T) {
	if !jit.Doctor().Found {
		t.Skip("needs libLLVM")
	}
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	program := put("m.bug", `model {
  for (i in 1:40000) { x[i] ~ dt(a, exp(b) - 1, 4) }
  a ~ dnorm(0, 1)
  b ~ dnorm(0, 1)
}`)
	data := put("d.json", `{"x": [`+strings.Repeat("1.5, 0.25, -3, 7, ", 9999)+"1, 2, 3, 4]}")
	points := func(wrong string) string {
		var b strings.Builder
		b.WriteString("a,b\n")
		for i := range 700 {
			switch {
			case i%97 == 50:
				b.WriteString("1,-1\n") // the precision is negative
			case i == 600 && wrong != "":
				fmt.Fprintln(&b, wrong)
			default:
				fmt.Fprintf(&b, "%v,%v\n", float64(i%10)/3, float64(i%13+1)/7)
			}
		}
		return b.String()
	}
	for name, list := range map[string]string{"all": points(""), "wrong": points("1,2,3")} {
		file := put(name+".csv", list)
		evaluate := func(flags ...string) string {
			var out, errs bytes.Buffer
			p := product.All()
			code := p.Main(append([]string{"logdensity", "-json", "-engine=llvm", "-data=" + data, "-points=" + file, program}, flags...), strings.NewReader(""), &out, &errs)
			return fmt.Sprintf("%s%sexit %d\n", &out, &errs, code)
		}
		want := evaluate("-disable-threading")
		if n := strings.Count(want, `"logp"`); n != map[string]int{"all": 700, "wrong": 600}[name] || !strings.HasSuffix(want, "exit 1\n") {
			t.Fatalf("%s: %d densities: %.2000s", name, n, want)
		}
		for cores := 1; cores <= 3; cores++ {
			if got := evaluate("-target=" + put(fmt.Sprint(cores, ".json"), fmt.Sprintf(`{"cores": %d}`, cores))); got != want {
				t.Errorf("%s: %d cores give another output than one", name, cores)
			}
		}
	}
}
