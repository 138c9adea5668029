package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/draws"
	"github.com/irc-lang/irc/tools/irc/internal/sampler"
	"github.com/irc-lang/irc/tools/irc/internal/summary"
)

// sampleModel draws from the posterior distribution of a model.
func sampleModel(s *session) error {
	src, in, err := s.NeedModel()
	if err != nil {
		return err
	}
	d, p, wrong := s.DensityRequest(src)
	d.Once = false
	r := cli.SampleRequest{Engine: d, Seed: s.Seed()}
	for _, f := range []struct {
		name string
		to   *int
		from int
		most int
	}{{"chains", &r.Chains, 1, 10000}, {"warmup", &r.Warmup, 0, 1 << 30}, {"draws", &r.Draws, 1, 1 << 30}, {"thin", &r.Thin, 1, 1 << 30}, {"max-depth", &r.MaxDepth, 1, 20}} {
		n, err := strconv.Atoi(s.Str(f.name))
		if err != nil || n < f.from || n > f.most {
			return cli.Usagef("", "-%s is from %d to %d", f.name, f.from, f.most)
		}
		*f.to = n
	}
	if r.TargetAccept, err = strconv.ParseFloat(s.Str("target-accept"), 64); err != nil || !(r.TargetAccept > 0 && r.TargetAccept < 1) {
		return cli.Usagef("", "-target-accept is between 0 and 1: 0.8, or 0.95 where steps diverge")
	}
	m, err := s.Model(s.NewContext(), src, in)
	if err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	r.Engine.Lower = s.DensityLowering(p, src)
	w := &drawWriter{s: s, name: strings.TrimSuffix(filepath.Base(src.Name), filepath.Ext(src.Name)), r: &r}
	r.Names, r.Draw = w.begin, w.draw
	err = m.Sample(s.Context, r)
	s.Progress().End()
	s.Warn(m)
	return w.end(s.Lacking(err))
}

// A drawWriter writes the files of chains, and shows how far they are.
type drawWriter struct {
	s     *session
	name  string // of the model
	r     *cli.SampleRequest
	chain []*chainFile

	warm   time.Time // when as many iterations were made as the warm-up of all chains has
	before int       // iterations beyond then
}

// A chainFile is the file of one chain: NAME-1.csv, which is NAME-1.csv.part until it is complete.
type chainFile struct {
	path string
	file *os.File
	*draws.Writer
	iterations int
}

func (w *drawWriter) begin(names []string) error {
	prefix := w.s.Str("o")
	if prefix == "" {
		prefix = w.name
	}
	for c := range w.r.Chains {
		f := &chainFile{path: fmt.Sprintf("%s-%d.csv", prefix, c+1)}
		var err error
		if f.file, err = os.Create(f.path + ".part"); err != nil {
			return err
		}
		w.chain = append(w.chain, f)
		r := w.r
		f.Writer = draws.NewWriter(f.file, []any{"complete", false, "model", w.name, "method", "sample", "num_samples", r.Draws, "num_warmup", r.Warmup, "save_warmup", 0, "thin", r.Thin,
			"max_depth", r.MaxDepth, "delta", r.TargetAccept, "seed", r.Seed, "id", c + 1}, sampler.Stats, names)
	}
	return nil
}

func (w *drawWriter) draw(d cli.ChainDraw) error {
	f := w.chain[d.Chain]
	if f.iterations++; f.iterations%10 == 0 {
		w.show()
	}
	if d.Values == nil {
		return nil
	}
	return f.Draw(d.Stats, d.Values)
}

// show shows how far the chains are, and after the warm-up how long it takes still.
func (w *drawWriter) show() {
	each := w.r.Warmup + w.r.Draws*w.r.Thin
	done := 0
	var parts []string
	for _, f := range w.chain {
		done += f.iterations
		parts = append(parts, fmt.Sprintf("%d%%", 100*f.iterations/each))
	}
	left := ""
	if n := done - w.r.Warmup*len(w.chain); n > 0 {
		if w.warm.IsZero() {
			w.warm, w.before = time.Now(), n-1
		}
		took := time.Since(w.warm) / time.Duration(n-w.before)
		left = fmt.Sprintf(", %v left", (took * time.Duration(each*len(w.chain)-done)).Round(time.Second))
	}
	w.s.Progress().Show("sample: chains at %s%s", strings.Join(parts, " "), left)
}

// end gives the files their names, and prints a summary.
func (w *drawWriter) end(err error) error {
	for _, f := range w.chain {
		err = errors.Join(err, f.Flush())
	}
	for _, f := range w.chain {
		if err == nil {
			_, err = f.file.WriteAt([]byte("true "), int64(len("# complete = ")))
		}
		err = errors.Join(err, f.file.Close(), os.Rename(f.path+".part", f.path))
	}
	if err != nil || len(w.chain) == 0 {
		return err
	}
	var files []*diag.Source
	var paths []string
	for _, f := range w.chain {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		files, paths = append(files, diag.NewSource(f.path, string(text))), append(paths, f.path)
	}
	d, err := draws.Read(files)
	if err != nil {
		return err
	}
	out := summary.Of(d, d.All())
	fmt.Fprintf(w.s.Stderr, "the draws are in %s\n", strings.Join(paths, ", "))
	if w.s.Flag("json") {
		data, err := out.JSON()
		if err != nil {
			return err
		}
		return w.s.Print(data)
	}
	return w.s.Print([]byte(out.Text()))
}
