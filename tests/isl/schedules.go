package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
)

// schedules schedules isl's inputs of schedulers, has each result checked, and prints the
// time beside that of an oracle, the program of presburger/testdata/isl_oracle.c, if one
// is given.
func schedules(dir, oracle string) error {
	files, err := filepath.Glob(filepath.Join(dir, "test_inputs", "schedule", "*.sc"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, fmt.Errorf("no inputs of schedulers in %s", dir))
	}
	ask := func(string) (time.Duration, error) { return 0, nil }
	if oracle != "" {
		if ask, err = startOracle(oracle); err != nil {
			return err
		}
	}
	var all, theirs time.Duration
	bad := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(f), ".sc")
		mine, err := quickest(func() (time.Duration, error) { return scheduled(string(text)) })
		if err != nil {
			fmt.Printf("%-28s %v\n", name, err)
			bad++
			continue
		}
		other, err := quickest(func() (time.Duration, error) { return ask(f) })
		if err != nil {
			return err
		}
		all, theirs = all+mine, theirs+other
		fmt.Printf("%-28s %9.2f ms %9.2f ms\n", name, ms(mine), ms(other))
	}
	fmt.Printf("%-28s %9.2f ms %9.2f ms\n", "total", ms(all), ms(theirs))
	if bad > 0 {
		return fmt.Errorf("%d of %d inputs are not scheduled", bad, len(files))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// quickest is the least of three times.
func quickest(f func() (time.Duration, error)) (best time.Duration, err error) {
	for i := range 3 {
		d, err := f()
		if err != nil {
			return 0, err
		}
		if i == 0 || d < best {
			best = d
		}
	}
	return best, nil
}

// scheduled is the time to read and schedule an input; checking does not count. isl takes
// no notice of instances that wait for themselves.
func scheduled(text string) (time.Duration, error) {
	parts := map[string]string{}
	key, options := "", scheduler.Options{}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") {
			if strings.Contains(line, "OPTIONS:") && strings.Contains(line, "feautrier") {
				options.Algorithm = scheduler.Feautrier
			}
			continue
		}
		if k, rest, ok := strings.Cut(line, ":"); ok && k != "" && strings.Trim(k, "abcdefghijklmnopqrstuvwxyz_") == "" {
			key, line = k, rest
		}
		parts[key] += line + " "
	}
	begin := time.Now()
	problem, err := problemOf(parts)
	if err != nil {
		return 0, err
	}
	r, err := scheduler.Schedule(problem, options)
	if err != nil {
		return 0, err
	}
	took := time.Since(begin)
	if len(r.Notes) > 0 {
		return 0, errors.New(r.Notes[0])
	}
	if err := r.Tree.Check(); err != nil {
		return 0, err
	}
	v, err := schedule.Legal(r.Tree, schedule.Dependences{Validity: problem.Validity, Coincidence: problem.Coincidence, Context: problem.Context})
	if err == nil && v != nil {
		err = errors.New(v.String())
	}
	return took, err
}

func problemOf(parts map[string]string) (out scheduler.Problem, err error) {
	if out.Domain, err = p.ParseSet(parts["domain"]); err != nil {
		return out, err
	}
	if text := parts["context"]; text != "" {
		if out.Context, err = p.ParseSet(text); err != nil {
			return out, err
		}
	}
	for key, m := range map[string]*p.Map{"validity": &out.Validity, "proximity": &out.Proximity, "coincidence": &out.Coincidence} {
		if text := parts[key]; text != "" {
			if *m, err = p.ParseMap(text); err != nil {
				return out, err
			}
		}
	}
	out.Validity, err = out.Validity.Subtract(out.Domain.Universe().Identity())
	return out, err
}

// startOracle runs isl.
func startOracle(exe string) (func(file string) (time.Duration, error), error) {
	cmd := exec.Command(exe)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	out := bufio.NewReaderSize(pipe, 1<<20)
	return func(file string) (time.Duration, error) {
		begin := time.Now()
		if _, err := io.WriteString(in, "schedfile|"+file+"\n"); err != nil {
			return 0, err
		}
		line, err := out.ReadString('\n')
		if err == nil && !strings.HasPrefix(line, "ok") {
			err = errors.New("isl: " + strings.TrimSpace(line))
		}
		return time.Since(begin), err
	}, cmd.Start()
}
