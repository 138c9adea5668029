package text

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Wrong inputs and all that is said of them.
func TestErrors(t *testing.T) {
	const in, golden = "testdata/errors/cases.mlir", "testdata/errors/cases.golden"
	text, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, part := range Split(diag.NewSource("cases.mlir", string(text)), SplitMarker) {
		if i > 0 {
			b.WriteString("// -----\n")
		}
		g, errs := Parse(miniContext(), part, Options{AllowUnregistered: true})
		if g != nil || errs.Err() == nil {
			t.Errorf("part %d is accepted", i)
		}
		b.WriteString(errs.Error() + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant (run with -update if right):\n%s", b.String(), want)
	}
}

func TestUnregisteredRefused(t *testing.T) {
	_, errs := Parse(miniContext(), diag.NewSource("a", `"x.y"() : () -> ()`), Options{})
	if errs.Err() == nil || !strings.Contains(errs.Error(), "-allow-unregistered-dialect") {
		t.Errorf("got %v", errs)
	}
}

func TestSplit(t *testing.T) {
	parts := Split(diag.NewSource("a", "one\n// -----\ntwo\nthree\n  // -----  \nfour"), SplitMarker)
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, want := range []struct {
		word string
		line int
	}{{"one", 1}, {"three", 4}, {"four", 6}} {
		s := parts[i]
		if line, _ := s.Position(strings.Index(s.Text, want.word)); line != want.line {
			t.Errorf("%s stands in line %d, want %d", want.word, line, want.line)
		}
	}
}

// Inputs made to hurt are answered with a diagnostic, in time.
func TestHostile(t *testing.T) {
	nest := func(open, mid, end string, n int) string {
		return strings.Repeat(open, n) + mid + strings.Repeat(end, n)
	}
	attr := func(s string) string { return `"t_.x"() {a = ` + s + `} : () -> ()` }
	big := 1 << 20
	cases := map[string]struct {
		src  string
		good bool
	}{
		"empty":             {"", true},
		"nested regions":    {nest(`"t_.x"() ({`+"\n", "", `}) : () -> ()`+"\n", 100000), false},
		"unclosed regions":  {strings.Repeat(`"t_.x"() ({`+"\n", 900), false},
		"nested types":      {attr(nest("tuple<", "i32", ">", 100000)), false},
		"nested functions":  {attr(nest("(", "i32", ") -> i32", 100000)), false},
		"nested arrays":     {attr(nest("[", "1", "]", 100000)), false},
		"nested dicts":      {attr(nest("{a = ", "1", "}", 100000)), false},
		"nested affine":     {attr("affine_map<() -> (" + nest("(", "1", ")", 100000) + ")>"), false},
		"minus affine":      {attr("affine_map<() -> (" + strings.Repeat("-", 100000) + "1)>"), false},
		"long affine":       {attr("affine_map<(d0) -> (d0" + strings.Repeat(" * 3 + d0 mod 7", 30000) + ")>"), false},
		"nested opaque":     {attr("#a.b" + nest("<", "", ">", big)), true},
		"digits":            {attr(strings.Repeat("9", big)), false},
		"digits wide":       {attr(strings.Repeat("9", big) + " : i16777215"), false},
		"hex digits":        {attr("0x" + strings.Repeat("9", big) + " : i64"), false},
		"float digits":      {attr(strings.Repeat("9", big) + ".0"), true},
		"half digits":       {attr(strings.Repeat("9", big) + ".0 : f16"), true},
		"exponent":          {attr("1.0e99999999999 : bf16"), true},
		"huge shape":        {attr("tensor<4611686018427387904x4611686018427387904x4xi8>"), true},
		"huge extent":       {attr("tensor<9223372036854775808xi8>"), false},
		"huge splat":        {attr("dense<1> : tensor<4611686018427387904x4611686018427387904xi8>"), true},
		"huge dense":        {attr("dense<[1]> : tensor<4611686018427387904xi8>"), false},
		"huge hex":          {attr(`dense<"0x010203"> : tensor<4611686018427387904x4xi8>`), false},
		"wide int":          {attr("i16777216"), false},
		"many results":      {`%0:1048577 = "t_.x"() : () -> i32`, false},
		"long name":         {strings.Repeat("a", 50<<20), false},
		"long line":         {strings.Repeat(`"t_.x"() : () -> () `, 1<<18), true},
		"spaces":            {strings.Repeat(" ", 50<<20), true},
		"percent":           {strings.Repeat("%", 1<<20), false},
		"undefined":         {strings.Repeat(`"t_.x"(%0) : (i32) -> () `, 1<<16), false},
		"quotes":            {strings.Repeat("\"", 1<<20), false},
		"hashes":            {attr("#a.b<" + strings.Repeat("#x ", 1<<18) + ">"), true},
		"byte order mark":   {"\ufeff" + attr("1"), true},
		"two marks":         {"\ufeff\ufeff" + attr("1"), false},
		"invalid utf-8":     {"\xff\xfe\x00%\x80", false},
		"nul":               {"\x00", false},
		"metadata":          {"{-# " + strings.Repeat("a: ", 1000), false},
		"aliases":           {strings.Repeat("#a = #a\n", 1000), false},
		"alias chain":       {aliasChain(5000), false},
		"alias doubling":    {aliasDoubling(900), false},
		"opaque doubling":   {strings.ReplaceAll(aliasDoubling(900), "[", "#o.p<["), false},
		"type doubling":     {strings.NewReplacer("#", "!", "[", "tuple<", "]", ">", "1 : ", "").Replace(aliasDoubling(900)), false},
		"location":          {`"t_.x"() : () -> () loc(` + nest("fused[", `"a"`, "]", big) + ")", false},
		"unclosed location": {`"t_.x"() : () -> () loc(((`, false},
	}
	for name, c := range cases {
		hostile(t, name, c.src, c.good)
	}
}

func hostile(t *testing.T, name, src string, good bool) {
	spent := irtest.Work()
	g, errs := Parse(miniContext(), diag.NewSource("in", src), Options{AllowUnregistered: true})
	_ = errs.Error()
	if g != nil {
		String(g, PrintOptions{Generic: true})
	}
	if d := spent(); d > 2*time.Second {
		t.Errorf("%s: took %v", name, d)
	}
	if (g != nil) != good || (errs.Err() == nil) != good {
		t.Errorf("%s: accepted: %v, errors: %.300s", name, g != nil, errs.Error())
	}
}

func aliasChain(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("#a" + string(rune('a'+i%26)) + strings.Repeat("b", i/26) + " = [#a" + string(rune('a'+(i+1)%26)) + strings.Repeat("b", (i+1)/26) + "]\n")
	}
	return b.String()
}

// aliasDoubling is text whose expansion doubles with each line.
func aliasDoubling(n int) string {
	var b strings.Builder
	b.WriteString("#x0 = 1 : i32\n")
	for i := 1; i <= n; i++ {
		prev := "#x" + strings.Repeat("y", i-1)
		if i == 1 {
			prev = "#x0"
		}
		b.WriteString("#x" + strings.Repeat("y", i) + " = [" + prev + ", " + prev + "]\n")
	}
	return b.String()
}

// A file that ends anywhere is answered without a panic.
func TestTruncated(t *testing.T) {
	for _, file := range testFiles(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(src); i++ {
			_, errs := Parse(miniContext(), diag.NewSource("in", string(src[:i])), Options{AllowUnregistered: true})
			_ = errs.Error()
		}
	}
}
