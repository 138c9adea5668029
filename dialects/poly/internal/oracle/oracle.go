// Package oracle runs isl beside tests, behind the line protocol of
// presburger/testdata/isl_oracle.c.
package oracle

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An Oracle is a running isl. One that crashes is started again.
type Oracle struct {
	// Crashes counts the questions that isl did not survive.
	Crashes int

	exe    string
	maxOps int
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// Start compiles the source and runs it, with a bound on isl's work for a question;
// nil without a C compiler or isl.
func Start(t testing.TB, source string, maxOps int) *Oracle {
	t.Helper()
	o := &Oracle{exe: filepath.Join(t.TempDir(), "oracle"), maxOps: maxOps}
	built := false
	for _, cc := range []string{"cc", "gcc", "clang-19", "clang"} {
		if _, err := exec.LookPath(cc); err == nil && exec.Command(cc, "-w", "-D_GNU_SOURCE", "-O1", source, "-o", o.exe, "-lisl").Run() == nil {
			built = true
			break
		}
	}
	if !built {
		return nil
	}
	if err := o.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.in.Close(); o.cmd.Wait() })
	return o
}

func (o *Oracle) start() error {
	o.cmd = exec.Command(o.exe)
	o.cmd.Env = append(os.Environ(), fmt.Sprintf("ISL_MAXOPS=%d", o.maxOps))
	var err error
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	o.out = bufio.NewReaderSize(out, 1<<20)
	return o.cmd.Start()
}

// Ask returns isl's answer to an operation with its arguments, or its error.
func (o *Oracle) Ask(args ...string) (string, error) {
	fmt.Fprintln(o.in, strings.Join(args, "|"))
	line, err := o.out.ReadString('\n')
	if err != nil {
		o.Crashes++
		o.in.Close()
		err = fmt.Errorf("isl ends: %v", o.cmd.Wait())
		if e := o.start(); e != nil {
			err = e
		}
		return "", err
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
	if kind != "ok" {
		return "", fmt.Errorf("isl: %s", rest)
	}
	return strings.ReplaceAll(rest, "\\n", "\n"), nil
}
