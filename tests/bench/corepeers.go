package main

import (
	"fmt"
	"os/exec"
	"strings"

	"github.com/irc-lang/irc/tests/bench/report"
)

// coreLoops are the loops of peers/cores.c; a number is the size of each array in KiB.
var coreLoops = []string{"compute", "read:512", "read:32768", "triad:65536", "rounds", "touch", "lbp4", "atax", "mvt", "doitgen", "seidel-2d"}

// coresInC measures what two cores of the machine allow: loops in C on two threads beside one.
func (b *bench) coresInC() error {
	exe, err := b.peer("cores.c", "-O3", "-march=native", "-ffast-math", "-w", "-pthread", "-lm")
	if err != nil {
		return err
	}
	for _, name := range coreLoops {
		if short, _, _ := strings.Cut(name, ":"); !b.wants(short) {
			continue
		}
		var seconds [2]float64
		for i := range seconds {
			out, err := exec.CommandContext(b.ctx, exe, name, fmt.Sprint(i+1), fmt.Sprint(coreTurns)).Output()
			if err == nil {
				_, err = fmt.Sscan(string(out), &seconds[i])
			}
			if err != nil {
				return err
			}
		}
		r := report.Row{Group: "cores-c", What: name + " in C: two cores, one core", Unit: "ms", Ours: seconds[1] * 1e3}
		if name != "rounds" { // of which one core has nothing to wait for
			r.Peer, r.Ratio = seconds[0]*1e3, seconds[1]/seconds[0]
		}
		b.table.Add(r)
	}
	return nil
}
