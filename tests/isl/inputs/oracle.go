package inputs

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/dialects/poly/scheduler"
)

//go:embed testdata/oracle.c
var source string

// An Oracle is isl.
type Oracle struct{ exe string }

// Compile makes the oracle in a directory.
func Compile(dir string) (o Oracle, err error) {
	src, exe := filepath.Join(dir, "oracle.c"), filepath.Join(dir, "oracle")
	if err := os.WriteFile(src, []byte(source), 0o644); err != nil {
		return o, err
	}
	for _, cc := range []string{"gcc", "cc", "clang-19", "clang"} {
		if err = exec.Command(cc, "-O2", "-w", "-D_GNU_SOURCE", src, "-o", exe, "-lisl").Run(); err == nil {
			return Oracle{exe}, nil
		}
	}
	return o, fmt.Errorf("needs a C compiler and libisl-dev")
}

// limit is how long isl may take.
const limit = 10 * time.Minute

// Execute is what the code that isl makes of an input executes for some values of the
// parameters each, MOST instances at most: a line each, of a name and coordinates.
func (o Oracle) Execute(file string, values []map[string]int64) (runs []string, err error) {
	var lines strings.Builder
	for _, at := range values {
		for k, v := range at {
			fmt.Fprintf(&lines, "%s=%d ", k, v)
		}
		lines.WriteString("\n")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.exe, file)
	cmd.Stdin = strings.NewReader(lines.String())
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("isl: %w", err)
	}
	var run strings.Builder
	for in := bufio.NewScanner(strings.NewReader(string(text))); in.Scan(); {
		if in.Text() == "end" {
			runs = append(runs, run.String())
			run.Reset()
			continue
		}
		run.WriteString(in.Text() + "\n")
	}
	if len(runs) != len(values) {
		return nil, fmt.Errorf("isl ran %d times, not %d", len(runs), len(values))
	}
	return runs, nil
}

// GenerateTime is the CPU time in which isl generates the code of an input.
func (o Oracle) GenerateTime(file string) (time.Duration, error) { return o.time("-t", file) }

// ScheduleTime is the CPU time in which isl schedules an input.
func (o Oracle) ScheduleTime(file string, options scheduler.Options) (time.Duration, error) {
	if options.Algorithm == scheduler.Feautrier {
		return o.time("-f", file)
	}
	return o.time("-s", file)
}

func (o Oracle) time(args ...string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	text, err := exec.CommandContext(ctx, o.exe, args...).Output()
	if err != nil {
		return 0, fmt.Errorf("isl: %w", err)
	}
	s, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return time.Duration(s * 1e9), err
}
