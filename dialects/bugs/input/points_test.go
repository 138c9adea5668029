package input

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readPoints shows what a stream holds, and how it ends.
func readPoints(name string, r io.Reader, vectors bool) string {
	p := NewPointReader(name, r, vectors)
	out := ""
	for {
		x, list, err := p.Next()
		switch {
		case err == io.EOF:
			return out
		case err != nil:
			return out + err.Error()
		case list.Err() != nil:
			text, _, _ := strings.Cut(list.Error(), "\n")
			return out + text
		case x.Vector != nil:
			out += fmt.Sprint(x.Vector, " ")
		default:
			out += strings.ReplaceAll(show(x.Data), "\n", "; ")
		}
	}
}

// The same however the stream comes in pieces, and places count from its beginning.
func TestPointStreams(t *testing.T) {
	for _, c := range []struct {
		name, text string
		vectors    bool
		want       string
	}{
		{"p.json", `[{"a": 1, "b": [1, null]} , {"a": 2}]`, false, "a [] 1 int; b [2] 1 NA int; a [] 2 int; "},
		{"p.json", "{\"a\": 1}\n{\"a\": 2}\n", false, "a [] 1 int; a [] 2 int; "},
		{"-", "\ufeff {\"a\": 1}{\"a\": \n2}", false, "a [] 1 int; a [] 2 int; "},
		{"-", ` { "a]}\"" : [ [ 1 ] ] } `, false, "a]}\" [1 1] 1 int; "},
		{"p.json", "[]", false, ""},
		{"p.json", "[[1, 2], [-3e0,4]]", true, "[1 2] [-3 4] "},
		{"p.json", "[1, 2]\n[3, 4]", true, "[1 2] [3 4] "},
		{"p.json", "[[]]", true, "[] "},
		{"p.json", `[{"a": 1}]`, true, "a [] 1 int; "},
		{"p.csv", "a,\"b[1]\",b[2]\n1,2,3\n\n# more\n 4 , NA ,\r\n5,\"6\",7", false, "a [] 1 int; b [2] 2 3 int; a [] 4 int; b [2] NA NA int; a [] 5 int; b [2] 6 7 int; "},
		{"-", "# draws\na,b\n1,2\n", false, "a [] 1 int; b [] 2 int; "},
		{"-", "a\n1\n-2\n", false, "a [] 1 int; a [] -2 int; "},
		{"-", "\na\n3", false, "a [] 3 int; "},
		{"-", "hello\nworld\n", false, "-:1:1: error: cannot tell the format of the data"},
		{"p.csv", "a\n", false, ""},
		{"p.csv", "a", false, ""},
		{"p.R", "a <- 1\nb <- c(1, 2)\n", false, "a [] 1 int; b [2] 1 2 int; "},
		{"-", "list(a = 1)", false, "a [] 1 int; "},
		// CmdStan's names, and names of rows.
		{"p.csv", "# model = m\nlp__,accept_stat__,mu.1,mu.2,S.2.1,S.1.1,tau\n# Adaptation\n-7,0.9,1,2,3,4,5\n", false, "mu [2] 1 2 int; S [2 1] 4 3 int; tau [] 5 int; "},
		{"p.csv", "lp__.x,mu.1\n1,2\n", false, "lp__.x [] 1 int; mu.1 [] 2 int; "},
		{"p.csv", "\"\",a,b\n\"1\",1,2\n\"x\",3,4\n", false, "a [] 1 int; b [] 2 int; a [] 3 int; b [] 4 int; "},
		{"p.csv", ",a,b\n0,1,2\n", false, "a [] 1 int; b [] 2 int; "},
		{"p.csv", "a;b\n1,5;2\n", false, "p.csv:1:2: error: the columns are separated by semicolons, and those of CSV by commas"},
		{"-", "a\tb\n1\t2\n", false, "-:1:2: error: the columns are separated by tabs, and those of CSV by commas"},
		{"p.csv", "\xff\xfea\x00\n\x001\x00\n\x00", false, "p.csv:1:1: error: the file is in UTF-16"},
		// What is wrong, after what is right.
		{"p.json", "[{\"a\": 1},\n {\"a\": x}]", false, "a [] 1 int; p.json:2:8: error: malformed JSON: invalid character 'x' looking for beginning of value"},
		{"p.json", `[{"a": 1}, 3]`, false, "a [] 1 int; p.json:1:12: error: a point is an object with the values of the parameters"},
		{"p.json", `[{"a": 1} {"a": 2}]`, false, "a [] 1 int; p.json:1:11: error: expected `,` or `]` after a point"},
		{"p.json", `[{"a": 1},]`, false, "a [] 1 int; p.json:1:11: error: a point is missing before `]`"},
		{"p.json", `[{"a": 1}`, false, "a [] 1 int; p.json:1:10: error: the JSON text ends too early"},
		{"p.json", `[{"a": [1}, {"a": 2}]`, false, "p.json:1:10: error: malformed JSON: invalid character '}' after array element"},
		{"p.json", `[{"a": 1}] 7`, false, "a [] 1 int; p.json:1:12: error: the points end before this"},
		{"p.json", ``, false, "p.json:1:1: error: the JSON text ends too early"},
		{"p.json", `3`, false, "p.json:1:1: error: points are an array of objects"},
		{"p.json", `[[1, null]]`, true, "p.json:1:2: error: a point on the unconstrained scale is an array of numbers"},
		{"p.json", `[[[1]]]`, true, "p.json:1:2: error: a point on the unconstrained scale is an array of numbers"},
		{"p.csv", "a,b\n1,2\n3\n", false, "a [] 1 int; b [] 2 int; p.csv:3:1: error: the number of fields is 1 here, 2 in the head"},
		{"p.csv", "a,b\n1,2\n3,x\n", false, "a [] 1 int; b [] 2 int; p.csv:3:3: error: \"x\" is no number"},
		{"p.csv", "a,\"Y[,1]\"\n1,2\n", false, "p.csv:1:3: error: a column of points is one element, without an empty index"},
	} {
		all := readPoints(c.name, strings.NewReader(c.text), c.vectors)
		bytewise := readPoints(c.name, iotest.OneByteReader(strings.NewReader(c.text)), c.vectors)
		if all != c.want || all != bytewise {
			t.Errorf("%q: got\n%s\nbytewise\n%s\nwant\n%s", c.text, all, bytewise, c.want)
		}
	}
}

// A point is there as soon as it is complete, and a failing stream says so.
func TestPointsArriveOneByOne(t *testing.T) {
	for _, parts := range [][]string{{"a,b\n1,2\n", "3,4\n"}, {`[{"a": 1}`, `, {"a": 2}`}, {`{"a": 1}`, `{"a": 2}`}} {
		r, w := io.Pipe()
		p := NewPointReader("-", r, false)
		for i, text := range parts {
			go w.Write([]byte(text))
			if x, list, err := p.Next(); err != nil || list != nil || x.Data.Get("a").Values[0] != float64(2*i+1) && x.Data.Get("a").Values[0] != float64(i+1) {
				t.Fatal(text, x, list, err)
			}
		}
		w.CloseWithError(errors.New("broken"))
		if _, _, err := p.Next(); err == nil || err.Error() != "broken" {
			t.Error(err)
		}
	}
}

// A long stream is never held as a whole: what is kept stays a few blocks.
func TestPointsAreNotKept(t *testing.T) {
	for _, c := range [][3]string{{"x,y\n", "1.5,2\n", ""}, {"[", `{"x": 1.5, "y": [2]},`, `{"x": 1}]`}} {
		const n = 200000
		p := NewPointReader("-", io.MultiReader(strings.NewReader(c[0]), &repeated{text: c[1], n: n}, strings.NewReader(c[2])), false)
		count := 0
		for {
			_, list, err := p.Next()
			if err == io.EOF {
				break
			} else if err != nil || list != nil {
				t.Fatal(list, err)
			}
			count++
		}
		if want := n + len(c[2])/5; count < n || count > want || cap(p.in.buf) > 4*blockOfPoints {
			t.Errorf("%d points, %d bytes kept", count, cap(p.in.buf))
		}
	}
}

// repeated is a text n times.
type repeated struct {
	text string
	n    int
	rest string
}

func (r *repeated) Read(b []byte) (k int, err error) {
	for k < len(b) && (r.rest != "" || r.n > 0) {
		if r.rest == "" {
			r.rest = r.text
			r.n--
		}
		m := copy(b[k:], r.rest)
		r.rest, k = r.rest[m:], k+m
	}
	if k == 0 {
		err = io.EOF
	}
	return k, err
}
