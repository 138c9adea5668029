package mlir_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// tool finds a program of MLIR, or ends the test.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("this test needs %s (mlir-19-tools)", name)
	}
	return path
}

// pipe runs a program on some input.
func pipe(t *testing.T, in, path string, args ...string) (string, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = strings.NewReader(in)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", errors.New(err.Error() + "\n" + clip(errs.String(), 2000))
	}
	return out.String(), nil
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "..."
	}
	return s
}

// parse reads a chunk of text. Unregistered ops are let through.
func parse(ctx *ir.Context, name, src string, verbatim bool) (*ir.Graph, error) {
	g, list := text.Parse(ctx, diag.NewSource(name, src), text.Options{Verbatim: verbatim, AllowUnregistered: true})
	return g, list.Err()
}

func newContext() *ir.Context { return ir.NewContext(dialects.All...) }

func printed(t *testing.T, g *ir.Graph, generic bool) string {
	t.Helper()
	var b strings.Builder
	if err := text.Print(&b, g, text.PrintOptions{Generic: generic}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// chunk is one program of a file: what stands between lines of "// -----".
type chunk struct {
	file string
	n    int // from 1
	text string
}

const separator = "// -----\n"

// chunks reads all programs of the repository: examples and test data.
func chunks(t *testing.T) []chunk {
	t.Helper()
	var out []chunk
	const root = "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".mlir" || !strings.Contains(path, "/examples/") && !strings.Contains(path, "/testdata/") {
			return nil
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		for i, c := range strings.Split(string(data), separator) {
			c, _, _ = strings.Cut(c, "{-#") // the resources of a reproducer are no part of its program
			if strings.TrimSpace(c) != "" {
				out = append(out, chunk{rel, i + 1, c})
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 15 {
		t.Fatalf("only %d programs found", len(out))
	}
	return out
}
