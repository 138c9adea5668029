package passes_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/mliropt"
)

// pipelineOf is what a row of the table names as a pipeline; "" if it names flags and the like.
func pipelineOf(p mliropt.Pass) string {
	if strings.ContainsAny(p.Here, " -`") && !regexp.MustCompile(`^[a-z0-9{}=,-]+$`).MatchString(p.Here) || strings.HasPrefix(p.Here, "-") {
		return ""
	}
	return p.Here
}

// The table of mlir-opt's passes names passes and options that are there, each once; an alias is read with
// all its options, and what is refused is told with what stands here.
func TestTableOfMLIROpt(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range mliropt.All {
		if seen[p.Name] {
			t.Errorf("%s stands twice", p.Name)
		}
		seen[p.Name] = true
		if here := pipelineOf(p); here != "" {
			if _, err := pass.Parse(here, all()); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		} else if p.Here == "" && p.Is != mliropt.Nothing {
			t.Errorf("%s: nothing stands for it", p.Name)
		}
		_, err := pass.Parse(p.Name, all())
		if read := p.Is == mliropt.Alias || p.Is == mliropt.Nothing; read != (err == nil) || !read && !strings.Contains(err.Error(), p.Here) {
			t.Errorf("%s: %s, and reading it gives %v", p.Name, p.Is, err)
		}
		if p.Is == mliropt.Alias {
			options(t, p)
		}
	}
	if p, _ := pass.Parse("affine-loop-tile{tile-size=4 cache-size=8},scf-for-loop-peeling{peel-front}", all()); !strings.Contains(p.String(), "size=4 ") || !strings.Contains(p.String(), "front=1 ") {
		t.Errorf("got %s", p)
	}
}

// options checks that those of an alias are there, and read.
func options(t *testing.T, p mliropt.Pass) {
	info := all().Find(p.Name)
	for name, to := range p.Options {
		ours, _, _ := strings.Cut(to, "=")
		opts := info.Options()
		i := slices.IndexFunc(opts, func(o pass.Option) bool { return o.Name == ours })
		if i < 0 && ours != "" {
			t.Errorf("%s: %s is %s, which %s does not have", p.Name, name, ours, info.Name)
			continue
		}
		value := "true"
		switch {
		case i < 0 || opts[i].Type == "bool" || strings.Contains(to, "="):
		case opts[i].List:
			value = "4,4"
		default:
			value = "4"
		}
		if _, err := pass.Parse(p.Name+"{"+name+"="+value+"}", all()); err != nil {
			t.Errorf("%s{%s=%s}: %v", p.Name, name, value, err)
		}
	}
}

// The names and options of the table are those of mlir-opt.
func TestNamesOfMLIROpt(t *testing.T) {
	opt, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("names of passes are compared with MLIR's: needs mlir-opt-19 (mlir-19-tools)")
	}
	help, err := exec.Command(opt, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	flag, at := regexp.MustCompile(`^( +)--([a-z0-9-]+)`), ""
	have := map[string][]string{}
	for line := range strings.Lines(string(help)) {
		if m := flag.FindStringSubmatch(line); m != nil && len(m[1]) == 6 {
			at = m[2]
			have[at] = nil
		} else if m != nil && at != "" {
			have[at] = append(have[at], m[2])
		}
	}
	for _, p := range mliropt.All {
		opts, ok := have[p.Name]
		if !ok {
			t.Errorf("mlir-opt has no pass %s", p.Name)
		}
		for name := range p.Options {
			if !slices.Contains(opts, name) {
				t.Errorf("mlir-opt's %s has no option %s, but %v", p.Name, name, opts)
			}
		}
	}
}
