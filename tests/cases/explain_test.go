package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is said of the loops of the examples names the lines of the loops, of those too that a rule made.
func TestRefusalsNameLines(t *testing.T) {
	files, err := filepath.Glob("../../examples/loop/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	remarks := 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := program{id: name, src: string(src), pipeline: "fuse"}
		_, said := p.transformed(t, p.build(t, false))
		remarks += strings.Count(said, "not fused")
		if strings.Contains(said, "no line") {
			t.Errorf("%s:\n%s", name, said)
		}
	}
	if remarks < 5 {
		t.Errorf("%d refusals in all examples", remarks)
	}
}
