package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// A refusal is what became of a chunk that mlir-opt refuses.
type refusal struct {
	chunk
	foreign bool   // it fails by rules of a dialect that irc does not have
	blocks  bool   // it has control flow between blocks, which irc refuses as such
	refused bool   // by irc, too
	placed  bool   // at an annotated line
	lines   []int  // that are annotated
	why     string // what is wrong
}

// of says whose rules an invalid input breaks: the IR's own, or those of a dialect that irc has.
func (c chunk) of() (ir, dialect bool) {
	switch c.folder {
	case "IR":
		return strings.HasPrefix(path.Base(c.file), "invalid"), false
	case "Dialect/GPU", "Dialect/LLVM", "Dialect/LLVMIR":
		return false, false
	}
	return false, !foreign(c.text)
}

// invalid gives irc the chunks that mlir-opt refuses: of IR/invalid*.mlir, and of irc's dialects.
func invalid(o optimizer, results []result) (out []refusal) {
	for _, r := range results {
		if ir, dialect := r.of(); r.why == notMLIR && (ir || dialect) {
			out = append(out, refusal{chunk: r.chunk})
		}
	}
	parallel(o.jobs, len(out), func(i int) { out[i].check() })
	return out
}

func (r *refusal) check() {
	r.lines = annotated(r.text)
	got := read(r.file, r.text, how{})
	r.foreign, r.blocks = foreign(r.text), several(r.text)
	if got.fault != "" {
		r.why = got.fault
		return
	}
	if r.refused = got.generic == ""; !r.refused {
		r.why = fmt.Sprintf("irc accepts it; lines %v are wrong", r.lines)
		return
	}
	var lines []int
	for _, d := range got.list {
		if d.Severity == diag.Error {
			line, _ := got.src.Position(d.Span.Start)
			lines = append(lines, line)
			r.placed = r.placed || slices.Contains(r.lines, line)
		}
	}
	if r.placed = r.placed || len(r.lines) == 0; !r.placed {
		r.why = fmt.Sprintf("errors are at lines %v, lines %v are wrong: %s", lines, r.lines, got.refusal())
	}
}

var annotation = regexp.MustCompile(`expected-(?:error|note|warning)(?:-re)?\s*(?:@(unknown|below|above|[+-]\d+))?\s*(?:\d+\s*)?\{\{`)

// annotated lists the lines of a chunk, from 1, that its comments say are wrong.
func annotated(text string) (out []int) {
	lines := strings.Split(text, "\n")
	for i, s := range lines {
		for _, m := range annotation.FindAllStringSubmatch(s, -1) {
			if !strings.HasPrefix(m[0], "expected-error") {
				continue
			}
			at := i + 1
			switch m[1] {
			case "unknown":
				continue
			case "":
			case "below":
				for at++; at <= len(lines) && annotation.MatchString(lines[at-1]); at++ {
				}
			case "above":
				for at--; at > 1 && annotation.MatchString(lines[at-1]); at-- {
				}
			default:
				n, _ := strconv.Atoi(m[1])
				at += n
			}
			if !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

var dotted = regexp.MustCompile(`(?m)^\s*(?:%[^=\n]*=\s*)?"?([a-z_]+)\.[a-z_.0-9]+`)

// onAttribute finds the dialect of an attribute of an argument or a result, whose
// rules only that dialect knows.
var onAttribute = regexp.MustCompile(`(?m)^\s*func\.func[^\n]*\{([a-z_]+)\.[a-z_]+\}`)

var label = regexp.MustCompile(`(?m)^\s*(\^\w+|.*\)\[\^)`)

// several reports a program with several blocks in a region: two labels in a row
// that no bracket parts, or a successor.
func several(text string) bool {
	labels := label.FindAllStringIndex(text, -1)
	for i, l := range labels {
		if strings.Contains(text[l[0]:l[1]], "[^") {
			return true
		}
		if i > 0 && !strings.ContainsAny(text[labels[i-1][1]:l[0]], "{}") {
			return true
		}
	}
	return false
}

// foreign reports that a program has ops or attributes of dialects that mlir-opt
// knows and irc does not.
func foreign(text string) bool {
	for _, m := range append(dotted.FindAllStringSubmatch(text, -1), onAttribute.FindAllStringSubmatch(text, -1)...) {
		switch m[1] {
		case "test", "ml_program", "gpu", "llvm", "complex", "spirv", "shape", "async", "transform", "irdl", "pdl", "emitc", "tosa", "sparse_tensor":
			return true
		}
	}
	return false
}
