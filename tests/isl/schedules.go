package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/tests/isl/inputs"
)

// schedules schedules isl's inputs of schedulers and has each result checked; with speed
// it compares the CPU time with isl's.
func schedules(dir string, failures, speed bool) error {
	tmp, err := os.MkdirTemp("", "irc_schedules")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var isl inputs.Oracle
	if speed {
		if isl, err = inputs.Compile(tmp); err != nil {
			return err
		}
	}
	files, err := inputs.ProblemFiles(dir)
	if err != nil {
		return err
	}
	bad := 0
	var sum ratios
	for _, f := range files {
		problem, options, err := inputs.ReadProblem(f)
		if err == nil {
			err = scheduled(problem, options)
		}
		if err != nil {
			fmt.Printf("%s: %v\n", f, err)
			bad++
			continue
		}
		if !speed {
			continue
		}
		ours, err := timed(func() error { _, err := scheduler.Schedule(problem, options); return err })
		if err != nil {
			return err
		}
		theirs, err := isl.ScheduleTime(f, options)
		if err != nil {
			return err
		}
		sum.add(f, ours, theirs, failures)
	}
	fmt.Printf("isl's inputs of schedulers: %d of %d have a legal schedule\n", len(files)-bad, len(files))
	if speed {
		fmt.Println(sum)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d inputs are not scheduled", bad, len(files))
	}
	return nil
}

// scheduled schedules a problem and checks the schedule.
func scheduled(problem scheduler.Problem, options scheduler.Options) error {
	r, err := scheduler.Schedule(problem, options)
	if err != nil {
		return err
	}
	if len(r.Notes) > 0 {
		return errors.New(r.Notes[0])
	}
	if err := r.Tree.Check(); err != nil {
		return err
	}
	v, err := schedule.Legal(r.Tree, schedule.Dependences{Validity: problem.Validity, Coincidence: problem.Coincidence, Context: problem.Context})
	if err == nil && v != nil {
		err = errors.New(v.String())
	}
	return err
}
