package cli

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// listing lists a folder.
func listing(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// What is printed is seen when it is complete, whole and in order, and nothing of
// it if it is dropped, however large it is.
func TestOutput(t *testing.T) {
	for _, size := range []int{0, 1, blockSize, inMemory, inMemory + 1, 5 * inMemory} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * 7 >> 3)
		}
		run := func(path string, end func(o *output) error) []byte {
			t.Helper()
			var stdout bytes.Buffer
			o := &output{to: &writer{Stdout: &stdout}, path: path}
			for rest := want; len(rest) > 0; {
				n := min(len(rest), 100_003)
				if _, err := o.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if got, _ := os.ReadFile(filepath.Join(dir, "out")); string(got) != "old" {
				t.Errorf("%d bytes: the file is changed before all is written", size)
			}
			if err := end(o); err != nil {
				t.Fatal(err)
			}
			return stdout.Bytes()
		}
		run(path, func(o *output) error {
			o.drop()
			if size > inMemory && !errors.Is(o.commit(), files.ErrDropped) {
				t.Error("what was dropped is put in its place")
			}
			return nil
		})
		if got, _ := os.ReadFile(path); string(got) != "old" || len(listing(t, dir)) != 1 {
			t.Errorf("%d bytes dropped: %q is left of %v", size, got, listing(t, dir))
		}
		if got := run("", (*output).commit); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: standard output is not what was written", size)
		}
		run(path, (*output).commit)
		got, _ := os.ReadFile(path)
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 || !bytes.Equal(got, want) || len(listing(t, dir)) != 1 {
			t.Errorf("%d bytes: the file is not what was written (%v, %v)", size, err, listing(t, dir))
		}
	}
}

// Names of what was filled in are cut short where there are very many.
func TestFirstOf(t *testing.T) {
	names := []string{}
	for i := range 1000 {
		names = append(names, fmt.Sprintf("x[%d]", i+1))
	}
	if got := firstOf(Names{21, slices.Values(names[:21])}); got != strings.Join(names[:21], " ") {
		t.Error(got)
	}
	if got := firstOf(Names{1000, slices.Values(names)}); got != strings.Join(names[:20], " ")+" and 980 more, which -json lists" {
		t.Error(got)
	}
}

// Of many points the values of -values stand behind each density, and NaN where there are
// none.
func TestBriefValues(t *testing.T) {
	p := &densityPrinter{values: true, brief: true, out: &stream{}}
	for _, d := range []Density{
		{LogP: -1, Values: map[string]jsontext.Array{"mu": {Values: []float64{2.5}}, "Y": {Dims: []int{2, 2}, Values: []float64{1, 2, 3, 4}}}},
		{LogP: math.Inf(-1), Status: StatusInvalid},
	} {
		p.writeBrief(d)
	}
	want := "# logp Y[1,1] Y[1,2] Y[2,1] Y[2,2] mu\n-1 1 2 3 4 2.5\n-Infinity NaN NaN NaN NaN NaN\n"
	if got := string(p.out.buf); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
