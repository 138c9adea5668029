// Command isl reads the tables of isl's own tests and reports how many of their
// operations give here what they say.
//
//	go run ./tests/isl [flags] DIR
//
// With -codegen it compares what the code of isl's inputs executes with what isl's own
// code does, for some values of the parameters; instances of equal times in any order.
// With -schedules it schedules isl's inputs of schedulers and has the results checked.
// -speed compares the times with isl's.
//
// DIR is isl's source (of Debian: the source package isl), with isl_test.c in it.
// Only tables of operations that package presburger has are read, and no sets of
// rational points. A test agrees when the result is the same set, map or answer; where a
// table says that a union becomes one conjunction, that is counted apart.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	least := flag.Float64("least", 95, "fail below this `percentage` of agreement")
	failures := flag.Bool("failures", false, "print the tests that differ, and times")
	only := flag.String("only", "", "read only this `table`")
	inputs := flag.Bool("schedules", false, "schedule isl's inputs of schedulers instead")
	code := flag.Bool("codegen", false, "compare the code of the schedules in test_inputs/codegen instead")
	speed := flag.Bool("speed", false, "with -codegen and -schedules: compare the CPU time with isl's too")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: isl [flags] DIR, where DIR is isl's source")
		os.Exit(2)
	}
	if *inputs {
		if err := schedules(flag.Arg(0), *failures, *speed); err != nil {
			fmt.Fprintln(os.Stderr, "isl:", err)
			os.Exit(1)
		}
		return
	}
	if *code {
		if err := runCodegen(flag.Arg(0), *only, *failures, *speed, *least); err != nil {
			fmt.Fprintln(os.Stderr, "isl:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(flag.Arg(0), *only, *failures, *least); err != nil {
		fmt.Fprintln(os.Stderr, "isl:", err)
		os.Exit(1)
	}
}

// rational tells sets of rational points, which package presburger does not have.
func rational(row []value) bool {
	return slices.ContainsFunc(row, func(v value) bool { return strings.Contains(v.text, "rat:") })
}

// errFewer is a result that is right but has more conjunctions than the table says.
var errFewer = errors.New("more than one conjunction")

func run(dir, only string, failures bool, least float64) error {
	text, err := os.ReadFile(filepath.Join(dir, "isl_test.c"))
	if err != nil {
		return err
	}
	all, agree, more := 0, 0, 0
	fmt.Printf("%-24s %6s %6s  %s\n", "table", "tests", "agree", "slowest")
	for _, k := range append(kinds, functions...) {
		if only != "" && only != k.name {
			continue
		}
		rows, err := table(string(text), k.name)
		if err != nil {
			return err
		}
		good, n := 0, 0
		var slowest time.Duration
		for i, row := range rows {
			if !row.list {
				row.items = []value{row}
			}
			if k.skip != nil && k.skip(row.items) || rational(row.items) {
				continue
			}
			n++
			start := time.Now()
			err := k.check(row.items)
			slowest = max(slowest, time.Since(start))
			if err == nil || err == errFewer {
				good++
			} else if failures {
				fmt.Printf("  %d: %v\n    %.400v\n", i, err, row.items)
			}
			if err == errFewer {
				more++
				if failures {
					fmt.Printf("  %d: %v\n    %.400v\n", i, err, row.items)
				}
			}
		}
		fmt.Printf("%-24s %6d %6d  %v\n", k.name, n, good, slowest.Round(time.Millisecond))
		all, agree = all+n, agree+good
	}
	if all == 0 {
		return fmt.Errorf("no tests read")
	}
	share := 100 * float64(agree) / float64(all)
	fmt.Printf("%d of %d agree (%.1f %%); %d of them as more conjunctions than isl makes\n", agree, all, share, more)
	if share < least {
		return fmt.Errorf("less than %v %%", least)
	}
	return nil
}
