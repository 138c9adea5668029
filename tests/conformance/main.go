// Command conformance reads MLIR's own tests with irc and reports how much of
// them irc reads as mlir-opt does.
//
//	go run ./tests/conformance [flags] DIR
//
// DIR is the folder mlir/test of MLIR's sources (of Debian: the source package
// llvm-toolchain-19). Each chunk of the files of a dialect goes through mlir-opt
// into generic form. What irc prints when it reads those verbatim must be the same program for mlir-opt. What
// it prints otherwise must be a program with all ops that irc does not know, in order. Chunks of
// IR/invalid*.mlir that mlir-opt refuses must be refused with a diagnostic at the annotated line; what it
// refuses of irc's dialects is counted where irc refuses it.
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
	failures := flag.String("failures", "", "write each failure to this `file`; - is the standard output")
	kept := flag.String("result", "", "write the figures to this `file`: tests/conformance/result.json is what none may fall below")
	docs := flag.String("docs", "", "run nothing, and write the figures of tests/conformance/result.json into this `page`")
	flag.Parse()
	err := error(nil)
	switch {
	case *docs != "":
		err = writeDocs(*docs, "tests/conformance/result.json")
	case flag.NArg() != 1:
		fmt.Fprintln(os.Stderr, "usage: conformance [flags] DIR, where DIR is mlir/test of MLIR's sources")
		os.Exit(2)
	default:
		err = run(*opt, *jobs, flag.Arg(0), *only, *failures, *kept)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func writeDocs(page, result string) error {
	f, err := readFigures(result)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := f.inDocs(string(data))
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(text), 0o644)
}

func run(opt string, jobs int, root, only, failures, kept string) error {
	path, err := exec.LookPath(opt)
	if err != nil {
		return err
	}
	var match *regexp.Regexp
	if only != "" {
		if match, err = regexp.Compile(only); err != nil {
			return err
		}
	}
	chunks, err := suite(root, match)
	if err != nil {
		return err
	}
	results, wrong := compare(optimizer{path, jobs}, chunks)
	tables(os.Stdout, results)
	f := figuresOf(results, wrong)
	sample := sampleOf(results, wrong)
	f.Sample = &sample
	fmt.Print(f.page())
	if err := list(failures, results, wrong); err != nil || kept == "" {
		return err
	}
	return f.write(kept)
}

// compare gives chunks to mlir-opt and to irc.
func compare(o optimizer, chunks []chunk) ([]result, []refusal) {
	results := valid(o, chunks)
	return results, invalid(o, results)
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
		if r.why != "" && !r.foreign && !r.blocks && (r.folder == "IR" || !r.refused) {
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
