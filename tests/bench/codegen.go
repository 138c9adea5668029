package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/isl/inputs"
)

// codegen times the schedulers and the code generator on the inputs of isl's source.
func (b *bench) codegen() error {
	if b.islSource == "" {
		b.table.Add(report.Row{Group: "codegen", What: "schedules and code of isl's inputs", Note: "skipped: -isl-source DIR not given (Debian: apt-get source isl)"})
		return nil
	}
	isl, err := inputs.Compile(b.dir)
	if err != nil {
		b.table.Add(report.Row{Group: "codegen", What: "schedules and code of isl's inputs", Note: "peer missing: " + err.Error()})
		return nil
	}
	problems, err := inputs.ProblemFiles(b.islSource)
	if err != nil {
		return err
	}
	codes, err := inputs.CodeFiles(b.islSource)
	if err != nil {
		return err
	}
	schedules, err := b.islInputs(problems, timeSchedule, func(f string) (time.Duration, error) {
		_, options, err := inputs.ReadProblem(f)
		if err != nil {
			return 0, err
		}
		return isl.ScheduleTime(f, options)
	})
	if err != nil {
		return err
	}
	code, err := b.islInputs(codes, timeCode, isl.GenerateTime)
	if err != nil {
		return err
	}
	b.table.Compare("codegen", fmt.Sprintf("schedules of %d inputs of isl: sum", len(problems)), "ms", schedules.ours, schedules.theirs, 1, "<= 1")
	b.table.Compare("codegen", "  the worst: "+schedules.file, "ms", schedules.worst[0], schedules.worst[1], 10, "<= 10")
	b.table.Compare("codegen", fmt.Sprintf("code of %d inputs of isl: sum", len(codes)), "ms", code.ours, code.theirs, 1, "<= 1")
	b.table.Compare("codegen", "  the worst: "+code.file, "ms", code.worst[0], code.worst[1], 10, "<= 10")
	return nil
}

// pairs sum up CPU times in milliseconds; worst is the pair of the greatest ratio.
type pairs struct {
	ours, theirs float64
	worst        [2]float64
	file         string
}

func (b *bench) islInputs(files []string, ours func(string) (float64, error), theirs func(string) (time.Duration, error)) (sum pairs, err error) {
	for _, f := range files {
		us, err := ours(f)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", f, err)
		}
		peer, err := theirs(f)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", f, err)
		}
		x, y := us/1e3, peer.Seconds()*1e3
		sum.ours, sum.theirs = sum.ours+x, sum.theirs+y
		if sum.file == "" || x*sum.worst[1] > sum.worst[0]*y {
			sum.worst, sum.file = [2]float64{x, y}, filepath.Base(f)
		}
		if b.verbose {
			b.table.Add(report.Row{Group: "codegen", What: "  " + filepath.Base(f), Unit: "ms", Ours: x, Peer: y, Ratio: x / y})
		}
	}
	return sum, nil
}

// timeSchedule is the CPU time of scheduling an input, in microseconds.
func timeSchedule(file string) (float64, error) {
	return timeAlone(func(n int) (func() error, error) {
		problems, options := make([]scheduler.Problem, n), scheduler.Options{}
		for i := range problems {
			var err error
			if problems[i], options, err = inputs.ReadProblem(file); err != nil {
				return nil, err
			}
		}
		return func() error {
			for _, p := range problems {
				if _, err := scheduler.Schedule(p, options); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}

// timeCode is the CPU time of generating the code of an input, in microseconds.
func timeCode(file string) (float64, error) {
	return timeAlone(func(n int) (func() error, error) {
		codes := make([]inputs.Code, n)
		for i := range codes {
			var err error
			if codes[i], err = inputs.ReadCode(file); err != nil {
				return nil, err
			}
		}
		return func() error {
			for _, c := range codes {
				if _, err := c.Generate(); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}
