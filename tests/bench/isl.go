package main

import (
	"bufio"
	"errors"
	"fmt"
	"github.com/irc-lang/irc/ir/irtest"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// isl is the peer of the rows of sets, behind the line protocol of isl_oracle.c.
type isl struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startISL compiles the oracle and starts it so that it times operations alone.
func (b *bench) startISL() (*isl, error) {
	root, err := repository()
	if err != nil {
		return nil, err
	}
	exe := filepath.Join(b.dir, "isl_oracle")
	src := filepath.Join(root, "dialects/poly/presburger/testdata/isl_oracle.c")
	for _, cc := range []string{"gcc", "cc", "clang-19", "clang"} {
		if _, err = exec.LookPath(cc); err != nil {
			continue
		}
		if err = exec.CommandContext(b.ctx, cc, "-w", "-D_GNU_SOURCE", "-O2", src, "-o", exe, "-lisl").Run(); err == nil {
			break
		}
	}
	if err != nil {
		return nil, errors.New("peer missing: needs a C compiler and libisl-dev")
	}
	p := &isl{cmd: exec.CommandContext(b.ctx, exe, "-b")}
	in, err1 := p.cmd.StdinPipe()
	out, err2 := p.cmd.StdoutPipe()
	if err := errors.Join(err1, err2, p.cmd.Start()); err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	return p, nil
}

func (p *isl) close() {
	p.in.Close()
	p.cmd.Wait()
}

// ask returns the answer to a request, or what isl complains of.
func (p *isl) ask(args ...string) (string, error) {
	for i, a := range args {
		args[i] = strings.NewReplacer("|", "\\|", "\n", "\\n").Replace(a)
	}
	if _, err := fmt.Fprintln(p.in, strings.Join(args, "|")); err != nil {
		return "", err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("isl ends: %w", err)
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
	if kind != "ok" {
		return "", errors.New("isl: " + rest)
	}
	return strings.ReplaceAll(rest, "\\n", "\n"), nil
}

// time is the CPU time of an operation alone, in microseconds.
func (p *isl) time(args ...string) (float64, error) {
	text, err := p.ask(append([]string{"bench"}, args...)...)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}

// cpuMicros is the CPU time of this process, that of the garbage collector included.
func cpuMicros() float64 {
	return float64(irtest.ProcessorTime()) / float64(time.Microsecond)
}

// timeAlone is the CPU time of one repetition in microseconds, measured as isl_oracle.c
// does it (bench there): prepare makes the arguments of n repetitions anew, outside the
// timed part; the figure is the median of batches. Garbage of a batch is collected in
// it or charged to a later one.
func timeAlone(prepare func(n int) (repeat func() error, err error)) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // as the peer, which has one thread
	var each []float64
	total, size, settled := 0.0, 1, false
	for len(each) < 8 && (len(each) < 5 || total < 2000) && total < 400_000 {
		repeat, err := prepare(size)
		if err != nil {
			return 0, err
		}
		start := cpuMicros()
		if err := repeat(); err != nil {
			return 0, err
		}
		t := cpuMicros() - start
		if t < 100 && size < 64 && !settled {
			size = min(64, size*2)
			if t < 10 {
				size = min(64, size*4)
			}
			continue
		}
		settled = true
		total += t
		each = append(each, t/float64(size))
	}
	slices.Sort(each)
	return each[len(each)/2], nil
}

// islVersion is the version of the library that is installed.
func islVersion() string {
	text, err := exec.Command("pkg-config", "--modversion", "isl").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func readText(path string) (string, error) {
	data, err := os.ReadFile(path)
	return string(data), err
}
