// Command summary reads `go test -json` and prints what a person wants to know:
// progress by package, the output of what failed, what was skipped for want of
// which tool, and a closing line of counts. It exits 1 if a test failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
	ImportPath                    string
}

type result struct {
	passed, failed int
	skipped        map[string][]string // reason -> tests
	output         map[string][]string // of a test that has not ended
	broken         bool
}

const module = "github.com/irc-lang/irc/"

func main() {
	r := &result{skipped: map[string][]string{}, output: map[string][]string{}}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Println(in.Text())
			continue
		}
		r.add(e)
	}
	r.close()
}

func (r *result) add(e event) {
	name := strings.TrimPrefix(e.Package, module)
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "output":
		r.output[key] = append(r.output[key], e.Output)
	case "build-output":
		fmt.Print(e.Output)
	case "build-fail":
		r.broken = true
	case "pass":
		if e.Test == "" {
			fmt.Printf("ok    %-40s %6.1f s\n", name, e.Elapsed)
		} else {
			r.passed++
		}
	case "fail":
		if e.Test != "" {
			r.failed++
		} else {
			r.broken = true
		}
		fmt.Printf("FAIL  %s %s\n%s", name, e.Test, strings.Join(r.output[key], ""))
	case "skip":
		if e.Test == "" {
			return // a package without tests
		}
		reason := skipReason(r.output[key])
		r.skipped[reason] = append(r.skipped[reason], name+"."+e.Test)
	}
	if e.Action != "output" {
		delete(r.output, key)
	}
}

// skipReason finds what t.Skip was given in the output of a test.
func skipReason(out []string) string {
	for _, line := range out {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "===") || strings.HasPrefix(line, "---") {
			continue
		}
		if _, msg, ok := strings.Cut(line, ".go:"); ok {
			if _, msg, ok = strings.Cut(msg, ": "); ok {
				return msg
			}
		}
		return line
	}
	return "no reason given"
}

func (r *result) close() {
	skips := 0
	var reasons []string
	for reason, tests := range r.skipped {
		reasons = append(reasons, reason)
		skips += len(tests)
	}
	sort.Strings(reasons)
	if skips > 0 {
		fmt.Println("\nskipped:")
	}
	for _, reason := range reasons {
		fmt.Printf("  %s\n", reason)
		sort.Strings(r.skipped[reason])
		for _, t := range r.skipped[reason] {
			fmt.Printf("      %s\n", t)
		}
	}
	fmt.Printf("\n%d passed, %d failed, %d skipped\n", r.passed, r.failed, skips)
	if r.failed > 0 || r.broken {
		os.Exit(1)
	}
}
