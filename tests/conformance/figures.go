package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Figures are what a run found, as it is kept in result.json. None may fall.
type figures struct {
	Chunks   int `json:"chunks"`   // of the suite
	Accepted int `json:"accepted"` // by mlir-opt
	Blocks   int `json:"blocks"`   // of these, with control flow between blocks
	Read     int `json:"read"`     // the others that mlir-opt reads again: those that are compared
	Verbatim int `json:"verbatim"` // of these, read as they are and printed as the same program
	Built    int `json:"built"`    // and with folds and sharing
	Own      int `json:"own"`      // of irc's dialects alone
	OwnSame  int `json:"own_same"` // of these, read and printed in their own syntax as the same program

	Invalid, Refused, Placed int // inputs that mlir-opt refuses; that irc does, too; at an annotated line
	Foreign, ForeignRefused  int // the same of those with ops or attributes of dialects that irc does not have
	Several, SeveralRefused  int // and of those with control flow between blocks
	Ops, OpsRefused          int // inputs that break rules of irc's dialects, in one block
	Faults                   int // panics, and no answer in time

	Fails []string `json:"fails"` // where something differs

	Sample *figures `json:"sample,omitempty"` // the same of the chunks that make test reads
}

// figuresOf counts.
func figuresOf(results []result, wrong []refusal) (f figures) {
	var all counts
	for _, r := range results {
		all.add(r)
		for kind, differs := range map[string]bool{"verbatim": r.fails, "built": r.loose != "", "own": r.form != ""} {
			if differs {
				f.Fails = append(f.Fails, fmt.Sprintf("%s:%d %s", r.file, r.line, kind))
			}
		}
	}
	f.Chunks, f.Accepted, f.Blocks = all.chunks, all.read+all.blocks+all.odd, all.blocks
	f.Read, f.Verbatim, f.Built, f.Own, f.OwnSame = all.read, all.same, all.built, all.own, all.custom
	f.refusals(wrong)
	return f
}

// sampleOf counts what make test reads.
func sampleOf(results []result, wrong []refusal) figures {
	return figuresOf(slices.DeleteFunc(slices.Clone(results), func(r result) bool { return !r.sampled() }),
		slices.DeleteFunc(slices.Clone(wrong), func(r refusal) bool { return !r.sampled() }))
}

// refusals counts invalid inputs.
func (f *figures) refusals(wrong []refusal) {
	for _, r := range wrong {
		if !r.refused && !strings.HasPrefix(r.why, "irc accepts") {
			f.Faults++
		}
		of, refused := &f.Invalid, &f.Refused
		_, dialect := r.of()
		switch {
		case dialect && r.blocks:
			continue
		case dialect:
			of, refused = &f.Ops, &f.OpsRefused
		case r.blocks:
			of, refused = &f.Several, &f.SeveralRefused
		case r.foreign:
			of, refused = &f.Foreign, &f.ForeignRefused
		case r.placed:
			f.Placed++
		}
		*of++
		if r.refused {
			*refused++
		}
	}
}

// fell says which figures are worse than they were; nothing, if none is.
func (f figures) fell(was figures) (out []string) {
	share := func(what string, n, of, before, beforeOf int) {
		if n*beforeOf < before*of || of < beforeOf {
			out = append(out, fmt.Sprintf("%s: %d of %d, and it was %d of %d", what, n, of, before, beforeOf))
		}
	}
	share("read verbatim", f.Verbatim, f.Read, was.Verbatim, was.Read)
	share("built", f.Built, f.Read, was.Built, was.Read)
	share("in their own syntax", f.OwnSame, f.Own, was.OwnSame, was.Own)
	share("invalid inputs refused", f.Refused, f.Invalid, was.Refused, was.Invalid)
	share("invalid inputs refused at the annotated line", f.Placed, f.Invalid, was.Placed, was.Invalid)
	share("invalid inputs of other dialects refused", f.ForeignRefused, f.Foreign, was.ForeignRefused, was.Foreign)
	share("invalid inputs of several blocks refused", f.SeveralRefused, f.Several, was.SeveralRefused, was.Several)
	share("invalid ops refused", f.OpsRefused, f.Ops, was.OpsRefused, was.Ops)
	if f.Faults > was.Faults {
		out = append(out, fmt.Sprintf("panics or hangs: %d, and it was %d", f.Faults, was.Faults))
	}
	return out
}

func readFigures(path string) (f figures, err error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	return f, err
}

func (f figures) write(path string) error {
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// Lines of docs/text.md between which the figures stand.
const (
	docsBegin = "<!-- figures: `make docs` writes them from tests/conformance/result.json -->\n"
	docsEnd   = "<!-- end of the figures -->\n"
)

// inDocs puts the figures into a page.
func (f figures) inDocs(page string) (string, error) {
	before, rest, ok := strings.Cut(page, docsBegin)
	_, after, also := strings.Cut(rest, docsEnd)
	if !ok || !also {
		return "", fmt.Errorf("the page has no place for the figures")
	}
	return before + docsBegin + f.page() + docsEnd + after, nil
}

// page is what docs/text.md says.
func (f figures) page() string {
	of := func(n, all int) string {
		return fmt.Sprintf("%s of %s (%s %%)", thousands(n), thousands(all), share(n, all))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Of %s chunks `mlir-opt` accepts %s, %d of them with control flow between blocks. The %s others, and %d invalid inputs (`IR/invalid*.mlir`):\n\n",
		thousands(f.Chunks), thousands(f.Accepted), f.Blocks, thousands(f.Read), f.Invalid+f.Foreign+f.Several)
	b.WriteString("| | agree |\n|---|---|\n")
	for _, row := range [][2]string{
		{"read verbatim and printed generically, the same program for `mlir-opt`", of(f.Verbatim, f.Read)},
		{"built with folds and sharing: accepted by `mlir-opt`, all unknown ops there and in order", of(f.Built, f.Read)},
		{"of irc's dialects alone, in their own syntax: the same program for `mlir-opt`", of(f.OwnSame, f.Own)},
		{"invalid inputs: refused", of(f.Refused, f.Invalid)},
		{"and with an error at the annotated line", of(f.Placed, f.Invalid)},
		{"invalid inputs with ops or attributes of dialects that irc does not have: refused", of(f.ForeignRefused, f.Foreign)},
		{"invalid inputs with control flow between blocks: refused", of(f.SeveralRefused, f.Several)},
		{"inputs of the folders of irc's dialects that break rules of an op: refused", of(f.OpsRefused, f.Ops)},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	return b.String()
}

// share is a percentage that says 100 of all alone.
func share(n, of int) string {
	if p := percent(n, of); n == of {
		return "100"
	} else {
		return fmt.Sprintf("%.1f", min(p, 99.9))
	}
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
