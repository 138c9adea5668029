//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"fmt"
	"strings"
)

// compileError makes an error of LLVM's message. Parse errors carry "name:L:C:",
// the verifier prints the instruction at fault, which is looked up in the text.
func compileError(phase, msg, ll string) *CompileError {
	e := &CompileError{Phase: phase, Message: strings.TrimSpace(msg)}
	lines := strings.Split(ll, "\n")
	if rest, ok := strings.CutPrefix(e.Message, bufferName+":"); ok {
		var col int
		if n, _ := fmt.Sscanf(rest, "%d:%d:", &e.Line, &col); n == 2 {
			if _, text, ok := strings.Cut(rest, ": "); ok {
				first, _, _ := strings.Cut(text, "\n") // the excerpt is Source
				e.Message = fmt.Sprintf("%s (column %d)", strings.TrimPrefix(first, "error: "), col)
			}
		}
	} else {
		e.Line = lineOf(lines, e.Message)
	}
	if e.Line > len(lines) {
		e.Line = 0
	}
	if e.Line > 0 {
		e.Source = strings.TrimSpace(lines[e.Line-1])
	}
	return e
}

// lineOf returns the first line of the text that the message quotes, or 0.
func lineOf(lines []string, msg string) int {
	for _, quoted := range strings.Split(msg, "\n")[1:] {
		if quoted = strings.TrimSpace(quoted); quoted == "" {
			continue
		}
		for i, l := range lines {
			if strings.TrimSpace(l) == quoted {
				return i + 1
			}
		}
	}
	return 0
}

// bufferName is the file name LLVM is told.
const bufferName = "ir"
