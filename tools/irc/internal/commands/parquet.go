package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/sandbox"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// parquetReader is the program that reads Parquet files.
const parquetReader = "irc-parquet"

// findParquetReader looks for it beside this program, and on the PATH.
func findParquetReader(path string) (string, error) {
	if own, err := os.Executable(); err == nil {
		if program := filepath.Join(filepath.Dir(own), parquetReader); cli.Exists(program) {
			return program, nil
		}
	}
	program, err := exec.LookPath(parquetReader)
	if err != nil {
		return "", diag.Errorf(diag.Span{}, "cannot read %s: %s, which reads Parquet files, is neither beside irc nor on the PATH", path, parquetReader).
			WithFix("`make build` makes both; or write the table as CSV")
	}
	return program, nil
}

// ReadParquet asks irc-parquet for columns of a file. It is held in as native code is: it gets the file and no other, as much
// memory as -mem-limit says, as native code has without that, and ends with this run.
func ReadParquet(ctx context.Context, path string, f *os.File, memory int64, wants []table.Want) (*table.Table, error) {
	whole := ctx
	program, err := findParquetReader(path)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(wants)
	if err != nil {
		return nil, err
	}
	if memory <= 0 {
		memory = helperMemory
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // which ends it, if it is not done
	cmd := exec.CommandContext(ctx, program, path, string(list), strconv.FormatInt(memory, 10))
	cmd.Env = []string{}
	cmd.ExtraFiles = []*os.File{f}
	var said strings.Builder
	cmd.Stderr = &said
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout = theirs
	ended := make(chan struct{})
	held, err := sandbox.Start(cmd, sandbox.Outside{Memory: sandbox.Allowance(memory), Threads: 2*runtime.NumCPU() + 32, Ended: func() { close(ended) }})
	theirs.Close()
	if err != nil {
		return nil, err
	}
	defer held.Close()
	t, err := table.Receive(out, wants, memory)
	if err != nil {
		cancel()
	}
	<-ended
	switch why := whole.Err(); {
	case why != nil:
		return nil, why
	case held.OutOfMemory() || errors.Is(err, io.ErrUnexpectedEOF) && strings.Contains(said.String(), "out of memory"):
		return nil, diag.Errorf(diag.Span{}, "cannot read %s: %s needs more memory than %d bytes", path, parquetReader, memory).WithFix("give more with -mem-limit; or read fewer columns")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, diag.Errorf(diag.Span{}, "cannot read %s: %s ended too early (%v) %s", path, parquetReader, cmd.ProcessState, firstLine(said.String()))
	case err != nil:
		return nil, err
	case !cmd.ProcessState.Success():
		return nil, fmt.Errorf("%s: %v %s", parquetReader, cmd.ProcessState, firstLine(said.String()))
	}
	return t, nil
}

// helperMemory is what a process that helps irc may have unless -mem-limit says so: as much as native code.
const helperMemory = 4 << 30

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
