package inputs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
)

// ProblemFiles lists the inputs of the schedulers of a copy of isl's source.
func ProblemFiles(source string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(source, "test_inputs/schedule/*.sc"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no inputs of schedulers in %s", source)
	}
	return files, err
}

// ReadProblem reads an input of schedulers, and the algorithm that it asks for. isl takes
// no notice of instances that wait for themselves; here there are none.
func ReadProblem(file string) (out scheduler.Problem, options scheduler.Options, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return out, options, err
	}
	parts := map[string]string{}
	key := ""
	for _, line := range strings.Split(string(text), "\n") {
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
	if out.Domain, err = p.ParseSet(parts["domain"]); err != nil {
		return out, options, err
	}
	if text := parts["context"]; text != "" {
		if out.Context, err = p.ParseSet(text); err != nil {
			return out, options, err
		}
	}
	for key, m := range map[string]*p.Map{"validity": &out.Validity, "proximity": &out.Proximity, "coincidence": &out.Coincidence} {
		if text := parts[key]; text != "" {
			if *m, err = p.ParseMap(text); err != nil {
				return out, options, err
			}
		}
	}
	out.Validity, err = out.Validity.Subtract(out.Domain.Universe().Identity())
	return out, options, err
}
