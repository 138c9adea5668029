package buffers_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var update = flag.Bool("update", false, "write what the passes do into testdata")

// Each program of testdata, through the passes that its first line names, is what stands
// beside it, with what the passes count and explain.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(src), "\n")
		line := strings.TrimPrefix(first, "// passes: ")
		out := strings.TrimSuffix(name, ".mlir") + ".out"
		got := through(t, string(src), line)
		if *update {
			if err := os.WriteFile(out, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, _ := os.ReadFile(out); string(want) != got {
			t.Errorf("%s through %s is\n%s\nwant\n%s", name, line, got, want)
		}
	}
}

func through(t *testing.T, src, line string) string {
	t.Helper()
	source := diag.NewSource("t.mlir", src)
	g, list := text.Parse(ir.NewContext(dialects.All...), source, text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	p, err := pass.Parse(line, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	m := &pass.Manager{VerifyEach: true, Count: true, Remark: func(_, what string) { fmt.Fprintf(&said, "// %s\n", what) }}
	m.Line = func(at ir.Loc) int { line, _ := source.Position(int(at) - 1); return line }
	h, err := m.Run(context.Background(), ir.Settle(g), p)
	if err != nil {
		t.Fatal(err)
	}
	p.Each(func(info *pass.Info, _ pass.Pass) {
		for _, s := range info.Statistics {
			fmt.Fprintf(&said, "// %s: %d %s\n", info.Name, m.Stats(info.Name, s.Name), s.Name)
		}
	})
	return text.String(h, text.PrintOptions{}) + "\n" + said.String()
}

// A program without allocations that are marked is handed back as it is.
func TestNothingToFree(t *testing.T) {
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", `func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xindex>
  memref.store %n, %a[%c0] : memref<?xindex>
  return %n : index
}`), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	p, err := pass.Parse("free-buffers", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	if h, err := (&pass.Manager{}).Run(context.Background(), g, p); err != nil || h != g {
		t.Errorf("it is made again, %v", err)
	}
}
