// Package replay writes and reads reproducers: programs with the pipeline that is to be run on them again.
package replay

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// An Info is what a reproducer says about how to run it: in the metadata block,
// and by the names, with which mlir-opt does.
type Info struct {
	Pipeline         string // from the root: builtin.module(...)
	DisableThreading bool
	VerifyEach       bool
}

// Write is the text of a file that `-run-reproducer` of irc and mlir-opt runs again.
// comment is put above, as comment lines; body is the program.
func Write(comment, body string, r Info) string {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		b.WriteString(strings.TrimRight("// "+strings.TrimSuffix(line, "\n"), " ") + "\n")
	}
	b.WriteString(strings.TrimRight(body, "\n"))
	fmt.Fprintf(&b, "\n\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: %s,\n      disable_threading: %t,\n      verify_each: %t\n    }\n  }\n#-}\n",
		quote(r.Pipeline), r.DisableThreading, r.VerifyEach)
	return b.String()
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\22`, "\n", `\0A`).Replace(s) + `"`
}

func unquote(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\22`, `"`, `\0A`, "\n").Replace(strings.Trim(s, `"`))
}

// entryRE is an entry of the block: its name, and its value, a string or a boolean.
var entryRE = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+)\s*:\s*("[^"]*"|true|false)`)
})

// Cut finds the metadata block of a reproducer: what it says, and the
// text with the block blanked out, so that places stay right.
func Cut(text string) (body string, r Info, ok bool) {
	r.VerifyEach = true
	start := strings.LastIndex(text, "{-#")
	end := strings.LastIndex(text, "#-}")
	if start < 0 || end < start {
		return text, r, false
	}
	block := text[start : end+3]
	blank := strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, block)
	body = text[:start] + blank + text[end+3:]
	_, rest, _ := strings.Cut(block, "mlir_reproducer")
	for _, e := range entryRE().FindAllStringSubmatch(rest, -1) {
		switch value := e[2]; e[1] {
		case "pipeline":
			if ok = value[0] == '"'; ok {
				r.Pipeline = unquote(value)
			}
		case "disable_threading":
			r.DisableThreading = value == "true"
		case "verify_each":
			r.VerifyEach = value == "true"
		}
	}
	return body, r, ok
}
