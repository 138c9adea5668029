//go:build unix

// Package hostile gives irc input that is made to break it: each ends in a
// diagnostic or a right result, within a second of processor time and 200 MB of
// memory beyond the size of its files.
package hostile

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/tools/irc/product"
)

// The bounds. The processor's time is given twice over to what else a machine does.
const (
	maxTime   = 2 * time.Second
	maxMemory = 200 << 20
	patience  = 100 * time.Second // then a run hangs
)

var table = flag.Bool("table", false, "print what each case takes")

// childEnv makes this binary irc.
const childEnv = "IRC_HOSTILE_CHILD"

func TestMain(m *testing.M) {
	jit.ServeIfChild()
	if os.Getenv(childEnv) != "" {
		limit := syscall.Rlimit{Cur: 6 << 30, Max: 6 << 30} // rather than the machine's own end
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
			panic(err)
		}
		p := product.All()
		os.Exit(p.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// input writes a file. Nothing is built in memory: a child counts what its parent
// held when it started as its own.
type input struct{ *bufio.Writer }

// put writes texts.
func (w input) put(texts ...string) input {
	for _, t := range texts {
		w.WriteString(t)
	}
	return w
}

// rep writes a text n times.
func (w input) rep(n int, t string) input {
	for range n {
		w.WriteString(t)
	}
	return w
}

// repf writes a text n times with the number in it.
func (w input) repf(n int, format string) input {
	for i := range n {
		fmt.Fprintf(w, format, i)
	}
	return w
}

// A hostile is one case: the files it needs, the first of which is the program,
// the command line after it, and what must come of it.
type hostile struct {
	name  string
	kind  string // extension of the first file, mlir if empty
	args  string // {N} is file N
	gen   func(w input)
	more  []func(w input) // further files
	exts  []string        // of these
	says  string          // the message holds this; "" is success
	usage bool            // it is the command line that is wrong
	lazy  bool            // success is right too: LLVM does without the memory
	long  bool            // it has as much to say as there are parts
	times int64           // of a right program: memory of so many times the file
	takes time.Duration   // more than maxTime, where that is right
}

func (h *hostile) run(t *testing.T) {
	dir := t.TempDir()
	gens := append([]func(input){h.gen}, h.more...)
	exts := append([]string{h.kind}, h.exts...)
	if h.kind == "" {
		exts[0] = "mlir"
	}
	var files []string
	size := int64(0)
	for i, g := range gens {
		path := filepath.Join(dir, fmt.Sprintf("f%d.%s", i, exts[i]))
		size += write(t, path, g)
		files = append(files, path)
	}
	line := strings.Fields(h.args)
	if !strings.Contains(h.args, "{0}") {
		line = append(line, "{0}")
	}
	for i := range line {
		for k, f := range files {
			line[i] = strings.ReplaceAll(line[i], fmt.Sprintf("{%d}", k), f)
		}
	}
	r := execute(t, dir, line)
	if *table {
		fmt.Printf("%-40s %6.2f s %5d MB of %3d  status %d  %.100s\n", h.name, r.cpu.Seconds(), r.rss>>20, size>>20, r.status, strings.ReplaceAll(r.stderr, "\n", "|"))
	}
	h.judge(t, r, size)
}

func write(t *testing.T, path string, gen func(input)) int64 {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := input{bufio.NewWriterSize(f, 1<<16)}
	gen(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// result is what became of a run.
type result struct {
	status int
	hung   bool
	cpu    time.Duration
	rss    int64
	stderr string
}

// execute runs irc in a child process.
func execute(t *testing.T, dir string, line []string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, line...)
	cmd.Env = append(os.Environ(), childEnv+"=1", "TMPDIR="+dir, "GOGC=") // collected as users have it
	cmd.Dir = dir
	errs := &head{}
	cmd.Stderr = errs
	err = cmd.Run()
	r := result{status: cmd.ProcessState.ExitCode(), hung: ctx.Err() != nil, stderr: errs.String()}
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.rss = u.Maxrss << 10
	}
	return r
}

// head keeps the start of what is written to it, and counts the rest.
type head struct {
	strings.Builder
	n int
}

const maxSaid = 1 << 16

func (h *head) Write(p []byte) (int, error) {
	h.n += len(p)
	if room := maxSaid + 1 - h.Len(); room > 0 {
		h.Builder.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

func (h *hostile) judge(t *testing.T, r result, size int64) {
	t.Helper()
	if r.hung {
		t.Errorf("it hangs")
		return
	}
	want := 0
	if h.says != "" {
		want = 1
	}
	if h.lazy && r.status == 0 {
		return
	}
	if h.usage {
		want = 2
	}
	if r.status != want {
		t.Errorf("status %d, want %d: %.3000s", r.status, want, r.stderr)
	}
	if h.says != "" && !strings.Contains(r.stderr, h.says) {
		t.Errorf("it does not say %q but %.1000s", h.says, r.stderr)
	}
	if len(r.stderr) > maxSaid && !h.long {
		t.Errorf("it says more than %d bytes", maxSaid)
	}
	for line := range strings.SplitSeq(r.stderr, "\n") {
		if len(line) > 1000 {
			t.Errorf("a line of %d bytes: %.200s", len(line), line)
			break
		}
	}
	if limit := max(maxTime, h.takes); r.cpu > limit {
		t.Errorf("it takes %v of processor time, %v are allowed", r.cpu, limit)
	}
	if limit := maxMemory + size*max(h.times, 1); r.rss > limit {
		t.Errorf("it takes %d MB, %d are allowed for a file of %d", r.rss>>20, limit>>20, size>>20)
	}
}

func runAll(t *testing.T, cases []hostile) {
	for i := range cases {
		h := &cases[i]
		t.Run(strings.ReplaceAll(h.name, " ", "-"), func(t *testing.T) {
			t.Parallel() // what is bounded is each child's own
			h.run(t)
		})
	}
}
