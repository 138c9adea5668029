package loops

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
)

// A Peer is a process that runs queries over tables in a folder. It reads those that a
// query asks for when it does so first, and keeps them.
type Peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// ErrMissing says that a peer is not there, and how to get it.
type ErrMissing struct{ Fix string }

func (e *ErrMissing) Error() string { return "not there: " + e.Fix }

// Flags are those that clang compiles the peers in C with.
var Flags = []string{"-O3", "-march=native", "-std=c11", "-w"}

// BuildC compiles the queries in C, in root/tests/bench/loops/peers.
func BuildC(ctx context.Context, root, exe string) error {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		return &ErrMissing{"needs clang-19"}
	}
	files, err := filepath.Glob(filepath.Join(root, "tests/bench/loops/peers/*.c"))
	if err != nil {
		return err
	}
	args := append(append(append([]string(nil), Flags...), files...), "-o", exe, "-lm")
	if text, err := exec.CommandContext(ctx, clang, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("clang-19: %w: %s", err, text)
	}
	return nil
}

// StartC starts what BuildC made. It allocates as our native code does: DuckDB keeps
// freed memory too.
func StartC(ctx context.Context, exe, dir string) (*Peer, error) {
	cmd := exec.CommandContext(ctx, exe, dir)
	cmd.Env = append(os.Environ(), jit.Malloc)
	return start(cmd)
}

// StartDuckDB starts DuckDB with one thread, of the packages that `make deps-bench`
// installs in root/bin/duckdb.
func StartDuckDB(ctx context.Context, root, dir string) (*Peer, error) {
	home := filepath.Join(root, "bin/duckdb")
	node, err := exec.LookPath("node")
	if _, e := os.Stat(filepath.Join(home, "node_modules/@duckdb/node-api")); err != nil || e != nil {
		return nil, &ErrMissing{"make deps-bench"}
	}
	return start(exec.CommandContext(ctx, node, filepath.Join(root, "tests/bench/loops/peers/duckdb.mjs"), home, dir))
}

func start(cmd *exec.Cmd) (*Peer, error) {
	p := &Peer{cmd: cmd}
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	cmd.Stderr = os.Stderr
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	return p, nil
}

// Run runs a query so often and gives the seconds of the fastest run. If result is not
// "", the rows go to that file.
func (p *Peer) Run(q Query, runs int, result string) (float64, error) {
	if result == "" {
		result = "-"
	}
	_, err := fmt.Fprintf(p.in, "%s\t%s\t%d\t%s\t%s\n", q.Table, q.Name, runs, result, strings.Join(strings.Fields(q.SQL), " "))
	if err != nil {
		return 0, err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("%s ends at %s: %w", filepath.Base(p.cmd.Path), q.Name, err)
	}
	figure, ok := strings.CutPrefix(strings.TrimSpace(line), "ok ")
	if !ok {
		return 0, errors.New(strings.TrimSpace(line))
	}
	ns, err := strconv.ParseFloat(figure, 64)
	return ns / 1e9, err
}

// Close ends the process.
func (p *Peer) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}
