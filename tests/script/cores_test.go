package script

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/product"
)

// What irc writes of a program is the same on a machine with one core and on one with seven.
func TestSameOnEachMachine(t *testing.T) {
	var files []string
	for _, pattern := range []string{"eq/*.eq", "affine/*.mlir", "loops/*.mlir", "loop/*.mlir"} {
		list, err := filepath.Glob(filepath.Join("../../examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	slices.SortFunc(files, func(a, b string) int { // the smallest first: they take no time
		return int(sizeOf(t, a) - sizeOf(t, b))
	})
	if len(files) < 30 {
		t.Fatalf("only %d examples", len(files))
	}
	written := func(cores int, args ...string) string {
		host := *target.Host()
		host.Cores = cores
		var out, errs bytes.Buffer
		p := product.All()
		p.Targets[0] = &cli.Target{Name: host.Name, Get: func() *target.Target { return &host }}
		p.Main(args, nil, &out, &errs)
		return out.String()
	}
	n := 0
	for i, f := range files[:30] {
		for k, args := range [][]string{{"-emit=llvm"}, {"-emit=ir", "-passes=parallelize"}, {"-emit=c"}, {"-emit=llvm", "-threads=3"}} {
			if k > 0 && (i+k)%3 != 0 {
				continue
			}
			args = append(args, f)
			one := written(1, args...)
			if one == "" {
				continue // it is refused
			}
			n++
			if seven := written(7, args...); one != seven {
				t.Errorf("%v differs with the cores of the machine", args)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d are written", n)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
