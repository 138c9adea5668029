// Command conformance reads MLIR's own tests with irc and reports how much of
// them irc reads as mlir-opt does.
//
//	go run ./tests/conformance [flags] DIR
//
// DIR is the folder mlir/test of MLIR's sources (of Debian: the source package
// llvm-toolchain-19). Each chunk of the files of a dialect goes through mlir-opt
// into generic form. Of those, what irc prints when it reads them verbatim must be
// the same program for mlir-opt, and what it prints otherwise must be a program
// with all ops that irc does not know, in order. Chunks of IR/invalid*.mlir that
// mlir-opt refuses must be refused with a diagnostic at the annotated line.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
)

func main() {
	opt := flag.String("mlir-opt", "mlir-opt-19", "the `program` to compare with")
	jobs := flag.Int("j", runtime.NumCPU(), "programs to run at a time")
	only := flag.String("only", "", "read only files whose path matches this `regexp`")
	least := flag.Float64("least", 97, "fail below this `percentage` of verbatim agreement")
	failures := flag.String("failures", "", "write each failure to this `file`; - is the standard output")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: conformance [flags] DIR, where DIR is mlir/test of MLIR's sources")
		os.Exit(2)
	}
	path, err := exec.LookPath(*opt)
	if err == nil {
		err = run(optimizer{path, *jobs}, flag.Arg(0), *only, *failures, *least)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(o optimizer, root, only, failures string, least float64) error {
	var match *regexp.Regexp
	if only != "" {
		var err error
		if match, err = regexp.Compile(only); err != nil {
			return err
		}
	}
	chunks, err := suite(root, match)
	if err != nil {
		return err
	}
	if len(chunks) == 0 {
		return fmt.Errorf("no programs below %s: it is not MLIR's folder mlir/test", root)
	}
	results, wrong := valid(o, chunks), invalid(o, chunks)
	share := tables(os.Stdout, results, wrong)
	if err := list(failures, results, wrong); err != nil {
		return err
	}
	if share < least {
		return fmt.Errorf("%.2f %% of the chunks agree; %.2f %% are wanted", share, least)
	}
	return nil
}

// list writes the failures to a file.
func list(path string, results []result, wrong []refusal) error {
	if path == "" {
		return nil
	}
	w := io.WriteCloser(os.Stdout)
	if path != "-" {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		w = f
	}
	b := bufio.NewWriter(w)
	for _, r := range results {
		if r.fails {
			fmt.Fprintf(b, "%s:%d: verbatim: %s\n", r.file, r.line, r.why)
		}
		if r.loose != "" {
			fmt.Fprintf(b, "%s:%d: built: %s\n", r.file, r.line, r.loose)
		}
		if r.form != "" {
			fmt.Fprintf(b, "%s:%d: custom: %s\n", r.file, r.line, r.form)
		}
	}
	for _, r := range wrong {
		if r.why != "" && !r.foreign && !r.blocks {
			fmt.Fprintf(b, "%s:%d: invalid: %s\n", r.file, r.line, r.why)
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if path == "-" {
		return nil
	}
	return w.Close()
}
