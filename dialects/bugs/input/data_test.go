package input

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// show writes data in a form to compare.
func show(d *Data) string {
	var b strings.Builder
	for _, n := range d.Names {
		a := d.Get(n)
		fmt.Fprintf(&b, "%s %v", n, a.Dims)
		for i, v := range a.Values {
			if a.IsMissing(i) {
				b.WriteString(" NA")
			} else {
				fmt.Fprintf(&b, " %g", v)
			}
		}
		if a.IsInt {
			b.WriteString(" int")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func read(t *testing.T, name, text string) *Data {
	t.Helper()
	d, list := ParseData(diag.NewSource(name, text), Unknown)
	if err := list.Err(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func TestJSON(t *testing.T) {
	d := read(t, "a.json", `{"N": 3, "x": [1, null, 2.5], "Y": [[1, 2, 3], [4, 5, null]], "e": [],
		"s": ["NaN", "Infinity", "-Infinity"], "m": null, "z": [[[1], [2]], [[3], [4]]], "b": 0.1, "t": true}`)
	want := "N [] 3 int\nx [3] 1 NA 2.5\nY [2 3] 1 2 3 4 5 NA int\ne [0] int\ns [3] NaN +Inf -Inf\n" +
		"m [] NA int\nz [2 2 1] 1 2 3 4 int\nb [] 0.1\nt [] 1 int\n"
	if got := show(d); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s := d.Span("Y"); s.Source.Text[s.Start:s.End] != `"Y"` {
		t.Errorf("span of Y is %d..%d", s.Start, s.End)
	}
	exact := read(t, "a.json", `{"x": 0.1234567890123456789, "y": 5e-324, "z": 9007199254740993}`)
	for n, v := range map[string]float64{"x": 0.1234567890123456789, "y": 5e-324, "z": 9007199254740992} {
		if got := exact.Get(n).Values[0]; got != v {
			t.Errorf("%s = %v, want %v", n, got, v)
		}
	}
}

func TestRDump(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x <- 3", "x [] 3 int\n"},
		{"x <-\n-3.5", "x [] -3.5\n"},
		{`"a b" = 1; ` + "`c.d` <<- 17L", "a b [] 1 int\nc.d [] 17 int\n"},
		{"x <- c(1, NA, NA_real_, NA_integer_, Inf, -Inf, NaN, TRUE, F, 1e-5)", "x [10] 1 NA NA NA +Inf -Inf NaN 1 0 1e-05\n"},
		{"x <- 1:4 y <- -1:1 z <- 3:1", "x [4] 1 2 3 4 int\ny [3] -1 0 1 int\nz [3] 3 2 1 int\n"},
		{"Y <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(2L, 3L))", "Y [2 3] 1 3 5 2 4 6 int\n"},
		{"Y <- structure(1:6, .Dim = as.integer(c(2, 3)), .Dimnames = list(NULL, c(\"a\", \"b\", \"c\")))", "Y [2 3] 1 3 5 2 4 6 int\n"},
		{"Y <- structure(.Data = c(1, NA, 3, 4, 5, 6), .Dim = 2:3, class = \"matrix\")", "Y [2 3] 1 3 5 NA 4 6 int\n"},
		{"Y <- structure(1:8, dim = c(2, 2, 2))", "Y [2 2 2] 1 5 3 7 2 6 4 8 int\n"},
		{"f <- structure(c(1L, 2L), .Label = c(\"a\", \"b\"), class = \"factor\")", "f [2] 1 2 int\n"},
		{"Y <- matrix(c(1, 2, 3, 4, 5, 6), nrow = 2)", "Y [2 3] 1 3 5 2 4 6 int\n"},
		{"Y <- matrix(1:6, 2, byrow = TRUE) Z <- matrix(0, 2, 2)", "Y [2 3] 1 2 3 4 5 6 int\nZ [2 2] 0 0 0 0 int\n"},
		{"Y <- matrix(1:6, ncol = 2, byrow = T)", "Y [3 2] 1 2 3 4 5 6 int\n"},
		{"Y <- array(1:6, dim = c(3, 2))", "Y [3 2] 1 4 2 5 3 6 int\n"},
		{"x <- rep(c(1, NA), 2) y <- rep(1:2, each = 2) z <- rep(c(5, 6), times = c(1, 2)) w <- rep(1:2, length.out = 3)",
			"x [4] 1 NA 1 NA int\ny [4] 1 1 2 2 int\nz [3] 5 6 6 int\nw [3] 1 2 1 int\n"},
		{"x <- seq(3) y <- seq(2, 8, by = 3) z <- seq(0, 1, length = 3) w <- seq(4, 2) v <- seq_len(2)",
			"x [3] 1 2 3 int\ny [3] 2 5 8 int\nz [3] 0 0.5 1\nw [3] 4 3 2 int\nv [2] 1 2 int\n"},
		{"x <- as.integer(c(1.0, 2.0)) y <- as.numeric(3)", "x [2] 1 2 int\ny [] 3 int\n"},
		{"# comment\nx <- c(1, # one\n 2)\n", "x [2] 1 2 int\n"},
		{"x <- c(5)", "x [1] 5 int\n"},
		{"x <- c(a = 1, 'b' = 2)", "x [2] 1 2 int\n"},
		{`assign("x", 1:3); assign("Y", structure(1:4, .Dim = c(2L, 2L)))`, "x [3] 1 2 3 int\nY [2 2] 1 3 2 4 int\n"},
		{"d <- list(N = 2L, x = c(1, NA), Y = matrix(1:4, 2))", "N [] 2 int\nx [2] 1 NA int\nY [2 2] 1 3 2 4 int\n"},
		{"d <- structure(list(a = 1:2, b = c(3, 4)), class = \"data.frame\", row.names = c(NA, -2L))", "d [2 2] 1 3 2 4 int\n"},
		{"d <- data.frame(a = 1:2, b = c(3, NA), c = 7)", "d [2 3] 1 3 7 2 NA 7 int\n"},
		{"l <- list(N = 2, d = structure(list(a = 1:2, b = 3:4), class = c(\"tbl\", \"data.frame\")))", "N [] 2 int\nd [2 2] 1 3 2 4 int\n"},
		{"x <- NULL\ny <- 1e3L", "y [] 1000 int\n"},
		{"x <- c(0x1.8p+1, 0X1.999999999999ap-4, -0x1p-1074, 0x1p+3) y <- 0x.8p1 z <- structure(c(0x1.8p0, NA), .Dim = 2L)",
			"x [4] 3 0.1 -5e-324 8\ny [] 1 int\nz [2] 1.5 NA\n"},
		{"x <- (0x1F) y <- c(c(1, 2), 3:4)", "x [] 31 int\ny [4] 1 2 3 4 int\n"},
	} {
		if got := show(read(t, "a.R", c.in)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}

func TestBUGSFiles(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"list(N = 3, x = c(1, NA, 3), Y = structure(.Data = c(1, 2, 3, 4, 5, 6), .Dim = c(2, 3)))",
			"N [] 3 int\nx [3] 1 NA 3 int\nY [2 3] 1 2 3 4 5 6 int\n"},
		{"x[] Y[,1] Y[, 2]\n1 2 3.5\n4 NA 6\nEND\n", "x [2] 1 4 int\nY [2 2] 2 3.5 NA 6\n"},
		{"list(N=2)\nY[1,] Y[2,]\n1 2\n3 4\n5 6\nEND\nlist(M = 1)", "N [] 2 int\nY [2 3] 1 3 5 2 4 6 int\nM [] 1 int\n"},
		{"list()", ""},
		{"list(\n)", ""},
	} {
		if got := show(read(t, "a.txt", c.in)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}

// What R writes goes column by column, in a list too; what OpenBUGS writes goes row by
// row. The texts are those of R 4 (dim), R 3 (.Dim, .Names) and OpenBUGS.
func TestOrderOfArrays(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"list(Y = structure(c(1, 2, 3, 4), dim = c(2L, 2L)))", "Y [2 2] 1 3 2 4 int\n"},
		{"list(Y = structure(c(1, 2, 3, 4), .Dim = c(2L, 2L)))", "Y [2 2] 1 3 2 4 int\n"},
		{"list(Y = structure(.Data = c(1, 2, 3, 4), .Dim = c(2, 2)))", "Y [2 2] 1 2 3 4 int\n"},
		{"list(Y = structure(.Dim = c(2, 2), .Data = c(1, 2, 3, 4)))", "Y [2 2] 1 2 3 4 int\n"},
		{"list(Y = structure(.Data = c(1, 2, 3, 4), dim = c(2, 2)))", "Y [2 2] 1 3 2 4 int\n"},
		{"d <- list(Y = structure(.Data = c(1, 2, 3, 4), .Dim = c(2, 2)))", "Y [2 2] 1 3 2 4 int\n"},
		{"list(N = 2L, Y = structure(1:6, dim = 2:3), x = c(a = 1, b = NA_integer_))", "N [] 2 int\nY [2 3] 1 3 5 2 4 6 int\nx [2] 1 NA int\n"},
		{"list(Y = structure(c(1, NA, 3, 4), dim = c(2L, 2L), dimnames = list(NULL, c(\"a\", \"b\"))))", "Y [2 2] 1 3 NA 4 int\n"},
		{"list(Y = structure(1:4, .Dim = structure(c(2L, 2L), .Names = c(\"r\", \"c\"))))", "Y [2 2] 1 3 2 4 int\n"},
		{"list(Y = structure(1:12, dim = c(2L, 3L, 2L)))", "Y [2 3 2] 1 7 3 9 5 11 2 8 4 10 6 12 int\n"},
		{"list(Y = structure(.Data = 1:12, .Dim = c(2, 3, 2)))", "Y [2 3 2] 1 2 3 4 5 6 7 8 9 10 11 12 int\n"},
		{"list(Y = structure(1:6, dim = c(as.integer(6 ), rep(1L, 2))))", "Y [6 1 1] 1 2 3 4 5 6 int\n"},
		{"list(`Y` = structure(numeric(0), dim = c(0L, 3L)), \"x y\" = -1)", "Y [0 3] int\nx y [] -1 int\n"},
		{"`Y` <-\nstructure(c(1L, NA, 3L, 4L), dim = c(2L, 2L))\n\"Z\" <- structure(c(NA_real_, 2.5), dim = 1:2)", "Y [2 2] 1 3 NA 4 int\nZ [1 2] NA 2.5\n"},
		{"structure(list(Y = structure(1:4, dim = c(2L, 2L)), n = 3), class = \"data\")", "Y [2 2] 1 3 2 4 int\nn [] 3 int\n"},
		{"structure(list(a = 1:2, f = structure(c(2L, 1L), levels = c(\"u\", \"v\"), class = \"factor\")), class = \"data.frame\", row.names = c(NA, -2L))",
			"a [2] 1 2 int\nf [2] 2 1 int\n"},
	} {
		for _, name := range []string{"a.R", "a.txt"} {
			if got := show(read(t, name, c.in)); got != c.want {
				t.Errorf("%s: %s: got\n%s\nwant\n%s", name, c.in, got, c.want)
			}
		}
	}
}

func TestCSV(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x,y\n1,2.5\n3,NA\n,\n", "x [3] 1 3 NA int\ny [3] 2.5 NA NA\n"},
		{"\ufeffx, \"Y[,1]\", \"Y[,2]\"\r\n1, 2, 3\r\n4, 5, 6\r\n", "x [2] 1 4 int\nY [2 2] 2 3 5 6 int\n"},
		{"tau.c,alpha[1],alpha[3]\n1,2,3\n", "tau.c [] 1 int\nalpha [3] 2 NA 3 int\n"},
		{"x\n", "x [0] int\n"},
	} {
		if got := show(read(t, "a.csv", c.in)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}

func TestDetectKind(t *testing.T) {
	for in, want := range map[string]Kind{
		"{\"x\": 1}": JSON, "[ {\"x\": 1}]": JSON, "x <- 1": RDump, "x = 1": RDump, "\"x\" <-\n1": RDump, "`x` <- 1": RDump,
		"list(x = 1)": BUGSList, " list (x=1)": BUGSList, "list <- 3": RDump, "x[] Y[,1]\n1 2\nEND": BUGSList,
		"x,y\n1,2": CSV, "x[1],x[2]\n1,2": CSV, "": RDump, "# c\nx <- 1": RDump, "hello": Unknown,
	} {
		if got := DetectKind("data.txt", in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
	if DetectKind("a.JSON", "") != JSON || DetectKind("a.csv", "x") != CSV {
		t.Error("the end of the name does not count")
	}
}

func TestPoints(t *testing.T) {
	want := "tau [] 1 int\na [2] 2 3 int\nm [1 2] 4 NA int\n---\ntau [] 5 int\na [2] 6 7 int\nm [1 2] 8 NA int\n---\n"
	for name, text := range map[string]string{
		"p.json": `[{"tau": 1, "a": [2, 3], "m": [[4, null]]}, {"tau": 5, "a": [6, 7], "m": [[8, null]]}]`,
		"p.csv":  "tau,a[1],\"a[2]\",\"m[1,1]\",\"m[1,2]\"\n1,2,3,4,NA\n5,6,7,8,\n",
	} {
		points, list := ParsePoints(diag.NewSource(name, text))
		if len(list) > 0 {
			t.Fatal(list)
		}
		got := ""
		for _, p := range points {
			got += show(p) + "---\n"
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	one, list := ParsePoints(diag.NewSource("p.R", "tau <- 1"))
	if len(list) > 0 || len(one) != 1 || show(one[0]) != "tau [] 1 int\n" {
		t.Errorf("an R dump as a point: %v %v", one, list)
	}
}

// sameData compares values bit for bit.
func sameData(t *testing.T, a, b *Data, what string) {
	t.Helper()
	if show(a) != show(b) {
		t.Errorf("%s differ:\n%s\n%s", what, show(a), show(b))
		return
	}
	for _, n := range a.Names {
		for i, v := range a.Get(n).Values {
			if w := b.Get(n).Values[i]; math.Float64bits(v) != math.Float64bits(w) && !math.IsNaN(v) {
				t.Errorf("%s: %s element %d is %v and %v", what, n, i, v, w)
			}
		}
	}
}

func readFile(t *testing.T, name string) *Data {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, name, string(text))
}

func TestExampleData(t *testing.T) {
	for _, m := range []string{"rats", "pumps", "seeds", "dyes"} {
		for _, f := range []string{"data", "inits"} {
			base := "../../../examples/bugs/" + m + "-" + f
			sameData(t, readFile(t, base+".json"), readFile(t, base+".R"), base)
		}
	}
}

// sharedModels are the reference models' folders, where they are at hand.
func sharedModels(t *testing.T) []string {
	dirs, _ := filepath.Glob("../../../../shared/data/bugs/*/data.json")
	if len(dirs) == 0 {
		t.Skip("needs the reference models in ../shared/data/bugs")
	}
	for i := range dirs {
		dirs[i] = filepath.Dir(dirs[i])
	}
	return dirs
}

func TestSharedData(t *testing.T) {
	for _, dir := range sharedModels(t) {
		for _, f := range []string{"data", "inits"} {
			a, b := readFile(t, filepath.Join(dir, f+".json")), readFile(t, filepath.Join(dir, f+".R"))
			sameData(t, a, b, filepath.Join(dir, f))
			if len(a.Names) == 0 && f == "data" {
				t.Errorf("%s: no data", dir)
			}
		}
	}
}

// TestSharedPrograms checks that each program names all of its data and inits
// files' names with as many indices as the values have, or none.
func TestSharedPrograms(t *testing.T) {
	for _, dir := range sharedModels(t) {
		file := "../../../examples/bugs/" + filepath.Base(dir) + ".bug"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		p, list := syntax.Parse(diag.NewSource(file, string(text)), syntax.Options{})
		if len(list) > 0 {
			t.Error(list)
		}
		used := map[string]map[int]bool{}
		walkStmts(p.Model, func(e syntax.Expr) bool {
			if r, ok := e.(*syntax.Ref); ok {
				if used[r.Name] == nil {
					used[r.Name] = map[int]bool{}
				}
				used[r.Name][len(r.Indices)] = true
			}
			return true
		})
		for _, f := range []string{"data", "inits"} {
			d := readFile(t, filepath.Join(dir, f+".json"))
			for _, n := range d.Names {
				for k := range used[n] {
					if k != 0 && k != len(d.Get(n).Dims) {
						t.Errorf("%s: %s has %d indices, its data %v", file, n, k, d.Get(n).Dims)
					}
				}
				if used[n] == nil {
					t.Errorf("%s does not name %s", file, n)
				}
			}
		}
	}
}

func walkStmts(body []syntax.Stmt, f func(syntax.Expr) bool) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.For:
			syntax.Walk(s.Over, f)
			walkStmts(s.Body, f)
		case *syntax.Assign:
			syntax.Walk(s.LHS, f)
			syntax.Walk(s.RHS, f)
		case *syntax.Sample:
			syntax.Walk(s.LHS, f)
			for _, a := range s.Args {
				syntax.Walk(a, f)
			}
			if s.Bound != nil {
				syntax.Walk(s.Bound.Lower, f)
				syntax.Walk(s.Bound.Upper, f)
			}
		}
	}
}
