package input

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

const oddBytes = "0\",:[]{}-. eNtf\\x"

// plainText writes random JSON: mostly what plain reading takes, else nearly that.
func plainText(rng *rand.Rand) string {
	var value func(depth, rank int, dims []int) string
	value = func(depth, rank int, dims []int) string {
		if depth == rank {
			return []string{"1", "-2.5", "1e3", "null", "0.25", "7", "8", "9"}[rng.IntN(8)]
		}
		n := dims[depth]
		if rng.IntN(60) == 0 {
			n++
		}
		parts := make([]string, n)
		for i := range parts {
			parts[i] = value(depth+1, rank, dims)
		}
		return "[" + strings.Join(parts, []string{",", ", ", " ,\n"}[rng.IntN(2)]) + "]"
	}
	var names []string
	for i := range 1 + rng.IntN(3) {
		rank := rng.IntN(4)
		dims := []int{rng.IntN(4), rng.IntN(4), 1 + rng.IntN(3)}
		names = append(names, fmt.Sprintf("%q: %s", string(rune('a'+i)), value(0, rank, dims)))
	}
	text := []byte("{" + strings.Join(names, ", ") + "}\n")
	for rng.IntN(3) == 0 {
		text[rng.IntN(len(text))] = oddBytes[rng.IntN(len(oddBytes))]
	}
	return string(text)
}

// Plain reading gives what the token reader gives, where it does not give up.
func TestPlainJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	taken := 0
	for range 50000 {
		text := plainText(rng)
		plain, ok := readPlainJSON(text, 0)
		if !ok {
			continue
		}
		taken++
		fast := &builder{src: diag.NewSource("d", text), data: NewData(), errs: &syntax.Reporter{}}
		for _, v := range plain {
			fast.add(v.name, fast.src.Span(v.start, v.end), v.a)
		}
		slow := &builder{src: fast.src, data: NewData(), errs: &syntax.Reporter{}}
		parseJSONTokens(slow)
		got, want := dataText(fast), dataText(slow)
		if got != want {
			t.Fatalf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
	if taken < 15000 {
		t.Errorf("only %d texts are plain", taken)
	}
}

func dataText(b *builder) string {
	out := fmt.Sprint(b.errs.Sorted().Error())
	for _, n := range b.data.Names {
		a := b.data.Get(n)
		out += fmt.Sprintf("%s at %d:%d %v %v %v %v\n", n, b.data.Span(n).Start, b.data.Span(n).End, a.Dims, a.Values, a.Missing, a.IsInt)
	}
	return out
}

// Numbers read in runs are those read one by one: comments between them end a run.
func TestRunsOfNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 5000 {
		parts := make([]string, rng.IntN(12))
		for i := range parts {
			parts[i] = []string{"1", "-2.5", "NA", "3L", "1e3", "TRUE", "2:4", "-NA", "0x10", "1.", "(7)", "rep(1, 2)", "NA_real_", "5", "6", "7"}[rng.IntN(16)]
		}
		text := "x <- c(" + strings.Join(parts, []string{",", ", ", ",\n"}[rng.IntN(3)]) + ")\n"
		read := func(text string) string {
			d, list := ParseData(diag.NewSource("d", text), RDump)
			if list.Err() != nil {
				return list[0].Message
			}
			return fmt.Sprint(*d.Get("x"))
		}
		if got, want := read(text), read(strings.ReplaceAll(text, ",", "#\n,")); got != want {
			t.Fatalf("%s: %s, want %s", text, got, want)
		}
	}
}

// Quotes, blanks, comments, lines without anything and ends of lines change nothing of a table.
func TestFormsOfCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	heads := [][]string{{"x", "y"}, {"a"}, {"Y[,1]", "Y[,2]"}, {"Y[2,]", "Y[1,]", "z"}, {"x[]", "Y[,3]"}, {"Z[1,,2]", "Z[2,,1]", "q"}}
	for range 5000 {
		head := heads[rng.IntN(len(heads))]
		plain, other := "", "# made by hand\n"
		line := func(cells []string) {
			var forms []string
			for _, c := range cells {
				form := []string{c, " " + c, `"` + c + `"`, "\t" + `"` + c + `"`}[rng.IntN(4)]
				if strings.Contains(c, ",") || c == "" { // a line without anything is no row
					form = `"` + c + `"`
				}
				forms = append(forms, form)
			}
			plain += `"` + strings.Join(cells, `","`) + `"` + "\n"
			other += strings.Join(forms, ",") + []string{"\n", "\r\n", "\n\n", "\n# 1,2,\"3\n"}[rng.IntN(4)]
		}
		line(head)
		for range rng.IntN(5) {
			cells := make([]string, len(head))
			for i := range cells {
				cells[i] = []string{"1", "-2.5", "NA", "", "1e2", "TRUE", "-Inf", ".5", "+3", "12345678901234567890"}[rng.IntN(10)]
			}
			line(cells)
		}
		read := func(text string) (out string) {
			d, list := ParseData(diag.NewSource("d.csv", text), CSV)
			if err := list.Err(); err != nil {
				return err.Error()
			}
			for _, n := range d.Names {
				out += fmt.Sprintln(n, *d.Get(n))
			}
			return out
		}
		if got, want := read(strings.TrimSuffix(other, "\n")), read(plain); got != want || !strings.Contains(want, "{") {
			t.Fatalf("%q: got\n%s\nwant\n%s", other, got, want)
		}
	}
}

// Shapes are numbers and lists of dimensions.
func TestParseShapes(t *testing.T) {
	d, list := ParseShapes(diag.NewSource("s", `{"N": 30, "Y": [30, 5], "xbar": [], "v": [7]}`))
	if list.Err() != nil {
		t.Fatal(list)
	}
	got := ""
	for _, n := range d.Names {
		a := d.Get(n)
		got += fmt.Sprint(n, a.Dims, a.Values, a.Shape, " ")
	}
	if want := "N[] [30] false Y[30 5] [] true xbar[] [] true v[7] [] true "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for text, want := range map[string]string{
		`{"Y": [30, 1.5]}`:        "no list of dimensions",
		`{"Y": [[1, 2]]}`:         "no list of dimensions",
		`{"Y": [-1]}`:             "no list of dimensions",
		`{"Y": null}`:             "the shape of Y is null",
		`{"Y": [100000, 100000]}`: "would have more than",
		`{"Y": [null]}`:           "no list of dimensions",
	} {
		if _, list := ParseShapes(diag.NewSource("s", text)); !strings.Contains(list.Error(), want) {
			t.Errorf("%s: %v, want %s", text, list, want)
		}
	}
}
