package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/dialects"
)

// A result is what came of one chunk.
type result struct {
	chunk
	given string // the chunk in generic form, which irc is given; "" if left out
	why   string // why it is left out, or how it fails
	fails bool
	loose string // how it fails without -verbatim
	own   bool   // all its ops are of irc's dialects, or of none that mlir-opt has
	form  string // how it then fails in the syntax of its dialects
}

// leftOut are the reasons why a chunk is not irc's to read.
const (
	notMLIR    = "mlir-opt refuses it"
	notGeneric = "mlir-opt refuses what it prints of it"
	hasBlocks  = "control flow between blocks"
)

// valid reads all chunks that mlir-opt reads and compares what comes of them.
func valid(o optimizer, chunks []chunk) []result {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.text
	}
	first := o.generic(texts)
	second := o.generic(first)
	located := o.generic(texts, "-mlir-print-debuginfo")
	out := make([]result, len(chunks))
	var tried []int
	for i, c := range chunks {
		out[i].chunk = c
		switch {
		case first[i] == "":
			out[i].why = notMLIR
		case blocks(first[i]):
			out[i].why = hasBlocks
		case second[i] == "":
			out[i].why = notGeneric
		default:
			out[i].given = first[i]
			tried = append(tried, i)
		}
	}
	ours, free, own := make([]string, len(tried)), make([]string, len(tried)), make([]string, len(tried))
	parallel(o.jobs, len(tried), func(k int) {
		r := &out[tried[k]]
		ours[k] = verbatim(r, located[tried[k]])
		free[k] = unordered(o, r)
		own[k] = custom(r)
	})
	for k, again := range o.generic(ours) {
		judge(o, &out[tried[k]], ours[k], again, second[tried[k]])
	}
	for k, again := range o.generic(free) {
		if r := &out[tried[k]]; r.loose == "" && again == "" {
			r.loose = "mlir-opt refuses what irc prints:\n      " + o.why(free[k])
		}
	}
	for k, again := range o.generic(own) {
		switch r := &out[tried[k]]; {
		case !r.own || r.form != "":
		case again == "":
			r.form = "mlir-opt refuses what irc prints:\n      " + o.why(own[k])
		default:
			r.form = difference(second[tried[k]], again)
		}
	}
	return out
}

// verbatim reads a chunk as it is, with and without locations, and prints it.
func verbatim(r *result, located string) string {
	got := read(r.file, r.given, how{verbatim: true})
	if got.generic == "" {
		r.why = "irc refuses it: " + got.refusal()
		return ""
	}
	if located == "" {
		return got.generic
	}
	with := read(r.file, located, how{verbatim: true})
	if with.generic == "" {
		r.why = "irc refuses it with locations: " + with.refusal()
		return ""
	}
	if d := difference(got.generic, with.generic); d != "" {
		r.why = "locations change what is read: " + d
		return ""
	}
	return got.generic
}

// judge compares what mlir-opt makes of our print with what it makes of its own.
func judge(o optimizer, r *result, ours, again, want string) {
	switch {
	case r.why != "":
	case again == "":
		r.why = "mlir-opt refuses what irc prints:\n      " + o.why(ours)
	default:
		r.why = difference(want, again)
	}
	r.fails = r.why != ""
}

// unordered reads a chunk with folds and sharing, prints it, and says whether an
// op that irc does not know is missing or out of order. Only what MLIR's own
// canonicalization removes or moves likewise, such as a branch never taken, may be.
func unordered(o optimizer, r *result) string {
	got := read(r.file, r.given, how{})
	if got.generic == "" {
		r.loose = "irc refuses it: " + got.refusal()
		return ""
	}
	want, have := opNames(r.given, isOpaque), opNames(got.generic, isOpaque)
	if !slices.Equal(want, have) && !slices.Equal(opNames(o.generic([]string{r.given}, "-canonicalize")[0], isOpaque), have) {
		i := 0
		for i < len(want) && i < len(have) && want[i] == have[i] {
			i++
		}
		r.loose = fmt.Sprintf("opaque ops: want %s, have %s", rest(want, i), rest(have, i))
	}
	return got.generic
}

// custom reads a chunk whose ops irc all knows in the syntax that it is written
// in, and prints it in that syntax.
func custom(r *result) string {
	if slices.ContainsFunc(opNames(r.given, isOpaque), func(name string) bool {
		dialect, _, _ := strings.Cut(name, ".")
		return !strings.Contains(r.text, `"`+name+`"`) || owners[dialect]
	}) || blocks(r.text) {
		return ""
	}
	r.own = true
	got := read(r.file, r.text, how{verbatim: true, custom: true})
	if got.generic == "" {
		r.form = "irc refuses it: " + got.refusal()
	}
	return got.generic
}

// owners are dialects whose regions and attributes have a syntax that only they know.
var owners = map[string]bool{"test": true, "transform": true}

func rest(names []string, i int) string {
	return strings.Join(append(slices.Clone(names[i:min(i+3, len(names))]), "..."), " ")
}

// known are the ops of irc's dialects.
var known = func() map[string]bool {
	out := map[string]bool{}
	for _, d := range dialects.All {
		for _, op := range d.Ops {
			out[op.Name] = true
		}
	}
	return out
}()

func isOpaque(name string) bool { return !known[name] }

// parallel calls f for 0 to n-1, jobs at a time.
func parallel(jobs, n int, f func(i int)) {
	limit := make(chan struct{}, jobs)
	var wait sync.WaitGroup
	for i := range n {
		limit <- struct{}{}
		wait.Go(func() {
			f(i)
			<-limit
		})
	}
	wait.Wait()
}
