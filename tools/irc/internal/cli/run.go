package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// runProgram runs a function of a program on arguments, and prints its results
// and what became of its memrefs.
func runProgram(s *Session) error {
	src, input, err := s.Input()
	if err != nil {
		return err
	}
	if input.Model != nil {
		if _, err := s.modelEngine(); err != nil {
			return err
		}
		return simulate(s, src, input)
	}
	p, err := s.Pipeline(src)
	if err != nil {
		return err
	}
	runner, to, err := s.engineFor(p)
	if err == nil {
		err = s.canDerive(p)
	}
	if err == nil {
		err = s.canTime(runner)
	}
	if err != nil {
		return err
	}
	asked := &Run{Source: src, Kind: input, Passes: p, Engine: runner, Target: to}
	if s.Program.Tuner != nil {
		if p, err = s.Program.Tuner(s, asked); err != nil {
			return err
		}
	}
	g, err := s.loadOne(src, input, p, to)
	if err != nil {
		return err
	}
	j := &job{s: s, g: g, src: src, entry: s.Str("entry"), passes: p, engine: runner, to: to, asked: asked}
	if input.Bind != nil && !s.IsSet("args") {
		if err := j.bind(input); err != nil {
			return err
		}
	}
	if err := j.prepare(); err != nil {
		return j.place(err)
	}
	if err := j.deriveAny(); err != nil {
		return j.place(err)
	}
	results, err := j.run()
	if err != nil {
		return j.place(err)
	}
	return j.print(results)
}

// job is one call of a function.
type job struct {
	s       *Session
	g       *ir.Graph
	src     *diag.Source
	entry   string
	in, out []ir.Type
	args    []ir.Val
	passes  *pass.Pipeline // of the command line, which have run
	whole   *pass.Pipeline // all that runs
	asked   *Run
	engine  *contract.Kind
	to      *target.Target
	externs []string // functions outside of the program that it may call
	m       *interp.Machine
	down    *ir.Graph // what the engine was given, if it was lowered
	bound   *Bound    // the arguments, if the kind of input makes them
	parts   []ir.Val  // the results, if the function gives their parts
	derivation
	output buffer // what the program printed, with -json
	wall   time.Duration
}

// prepare finds the function and reads its arguments.
func (j *job) prepare() (err error) {
	j.m, err = interp.New(j.g, interp.Options{Context: j.s.Context, Fuel: j.s.Fuel(), MemLimit: j.memory(), Output: j.printed})
	if err != nil {
		return err
	}
	f, err := j.m.Resolve(j.entry)
	if err != nil {
		return err
	}
	if err := j.m.Check(f); err != nil {
		return err
	}
	if err := j.checkExterns(); err != nil {
		return err
	}
	j.in, j.out = f.Params, f.Results
	if err := j.checkOutput(); err != nil {
		return err
	}
	if j.args, err = j.arguments(); err != nil {
		var d *diag.Diagnostic
		if errors.As(err, &d) {
			return d
		}
		return diag.Errorf(diag.Span{}, "%v", err).WithFix("@%s takes %s; give them as a JSON array with -args=FILE", j.entry, j.signature())
	}
	return nil
}

// argumentForms are what -args may name, and what may stand in it.
var argumentForms = []string{"JSON array", "FILE" + csvExt + " of -args", "FILE" + parquetExt + " of -args", "- (standard input)", `{"file": ...}`}

// arguments reads what -args names: a JSON array, or a table that is the one argument.
func (j *job) arguments() ([]ir.Val, error) {
	if j.bound != nil {
		return j.bound.Args, nil
	}
	data, path := "[]", j.s.Str("args")
	if isTable(path) {
		if len(j.in) != 1 {
			return nil, fmt.Errorf("arguments: %s is one, and %d are wanted: a table among others is {\"file\": %q}", path, len(j.in), path)
		}
		v, err := j.tableArgument(j.in[0], path)
		return []ir.Val{v}, err
	}
	if path != "" {
		var err error
		if data, err = j.s.Read(path); err != nil {
			return nil, err
		}
	}
	return interp.ArgsFromJSON(j.g.Ctx, j.in, []byte(data), j.fileArgument)
}

func (j *job) memory() int64 {
	n, _ := BytesOf(j.s.Str("mem-limit"))
	return n
}

func (j *job) signature() string {
	if len(j.in) == 0 {
		return "no arguments"
	}
	out := "("
	for i, t := range j.in {
		if i > 0 {
			out += ", "
		}
		out += text.TypeString(j.g.Ctx, t)
	}
	return out + ")"
}

// printed shows what the program prints as it prints it; with -json it becomes a
// part of the object.
func (j *job) printed(p interp.Printed) {
	t := interp.FormatPrinted(j.g.Ctx, p)
	if j.s.Flag("json") {
		j.output.WriteString(t)
		return
	}
	fmt.Fprint(j.s.Stdout, t)
}

// run runs on the engine that is asked for.
func (j *job) run() (results []ir.Val, err error) {
	s := j.s
	defer func() { err = s.Stopped(err) }() // that a child was stopped is no news
	child := s.Process()
	child.Stdout, child.Stderr, child.Link = s.Stdout, s.Stderr, s.libraries()
	e, _, err := j.engine.Start(s.Context, contract.Options{Unchecked: s.Flag("unchecked"), Level: LevelOf(j.passes), Fuel: s.Fuel(), MemLimit: j.memory(), Output: j.printed, Check: s.check(), Times: s.Flag("time-kernels"),
		Target: j.to, Externs: j.externs, Entries: j.entries(), Lower: j.lower,
		Child: child})
	if err != nil {
		return nil, s.CannotStart(err)
	}
	defer func() {
		if late := e.Close(); err == nil {
			err = late
		}
	}()
	ps, err := e.Prepare(s.Context, j.g)
	if err != nil {
		return nil, s.Lacking(err)
	}
	if err := j.dumpRoute(ps[0]); err != nil {
		return nil, err
	}
	s.tellEngine(j.g.Ctx, j.src, ps[0])
	s.tellSandbox(j.engine, e, ps[0])
	results, err = j.call(ps[0])
	if err == nil {
		err = j.tellTimes(ps[0])
	}
	switch stats := contract.StatsOf(ps[0]); {
	case stats == "":
	case j.engine.Device && (s.Flag("v") || s.Flag("stats")):
		fmt.Fprintf(s.Stderr, "irc: %s: %s\n", j.engine.Name, stats)
	case !j.engine.Device && err == nil:
		fmt.Fprintf(s.Stderr, "irc: %s\n", stats)
	}
	return results, err
}

// call calls the function. One that the engine was given lowered may take the parts of
// its arguments.
func (j *job) call(p contract.Program) ([]ir.Val, error) {
	if j.gradient != nil {
		return j.callGradient(p)
	}
	if j.matrix != nil {
		return j.callMatrix(p)
	}
	in, out, err := p.Signature(j.entry)
	if err != nil || slices.Equal(in, j.in) && slices.Equal(out, j.out) {
		args, err := j.bindWhole()
		if err != nil {
			return nil, err
		}
		return j.invoke(p, args)
	}
	args, back, err := j.bindParts()
	if err != nil {
		return nil, err
	}
	results, err := j.invoke(p, args)
	if err != nil {
		return nil, err
	}
	back()
	j.parts = results
	if j.writesTable() {
		return nil, nil
	}
	return partwise.Unflatten(j.g.Ctx, j.out, results)
}

// lower takes the program down to a target, as its engine asks.
func (j *job) lower(_ context.Context, g *ir.Graph, t *target.Target) (*ir.Graph, error) {
	whole, err := j.s.Completed(j.passes, t, ends.MostOptimised)
	if err != nil {
		return nil, err
	}
	j.whole = whole
	g, refused := basic.RefuseTextOnly(g)
	for _, r := range refused {
		if r.Name == j.entry {
			return nil, r.Err
		}
	}
	j.down, err = j.s.Lowered(g, j.src, &pass.Pipeline{Steps: whole.Steps[len(j.passes.Steps):]}, t)
	return j.down, err
}

// dumpRoute shows what runs: an interpreted program is not lowered.
func (j *job) dumpRoute(p contract.Program) (err error) {
	name, _ := p.Engine()
	if k := contract.Find(j.s.Program.Engines, name); k != nil && interprets(k) {
		if j.whole, err = interpreted(j.passes); err != nil {
			return err
		}
	}
	j.s.DumpPipeline(j.whole)
	return nil
}

// place shows a failure at its place in the source.
func (j *job) place(err error) error {
	var f *interp.Failure
	if errors.As(err, &f) {
		return f.Diagnostic(j.src)
	}
	var op *ir.OpError
	if errors.As(err, &op) {
		return diagnose(j.g.Ctx, j.src, err)
	}
	return err
}

// print writes {"results": [...], "args": [...]}: args are the memrefs after the
// call, in the order of the arguments.
func (j *job) print(results []ir.Val) error {
	if j.writesTable() {
		return j.printTable(results)
	}
	if j.bound != nil {
		return j.printBound()
	}
	r, err := interp.ToJSON(j.g.Ctx, results, j.out)
	if err != nil {
		return err
	}
	var mem []ir.Val
	var types []ir.Type
	for i, t := range j.in {
		if j.g.Ctx.Info(t).Kind == ir.KindMemRef {
			mem, types = append(mem, j.args[i]), append(types, t)
		}
	}
	a, err := interp.ToJSON(j.g.Ctx, mem, types)
	if err != nil {
		return err
	}
	line := fmt.Sprintf(`{"results": %s, "args": %s`, r, a)
	if j.gradient != nil {
		text, err := j.derivatives()
		if err != nil {
			return err
		}
		line += `, "gradient": ` + text
	}
	if x := j.matrix; x != nil {
		text, err := jsontext.Encode(x.object())
		if err != nil {
			return err
		}
		line += `, "` + x.name + `": ` + string(text)
	}
	if j.output.Len() > 0 {
		t, err := jsontext.Encode(j.output.String())
		if err != nil {
			return err
		}
		line += `, "output": ` + string(t)
	}
	return j.s.Write([]byte(line + "}\n"))
}

// simulate draws every node of a model forward.
func simulate(s *Session, src *diag.Source, kind *Input) error {
	if s.asked(derivativeFlags) != "" {
		return Usagef("`irc logdensity -gradient` has the derivatives of its density", "a model is drawn from, which has no derivatives")
	}
	for _, name := range []string{"mcpu", "target", "extern", "link", "passes", "dump-pass-pipeline", "check-races", "check-transfers", "check-kernels", "time-kernels", "tune", "tune-file"} {
		if s.IsSet(name) {
			return Usagef("leave it out", "-%s is about programs, and a model is drawn from as it is written", name)
		}
	}
	m, err := s.Model(s.NewContext(), src, kind)
	if err != nil {
		return err
	}
	r := SimulationRequest{Seed: s.Seed()}
	if r.PointsName = s.Str("points"); r.PointsName != "" {
		points, err := s.open(r.PointsName)
		if err != nil {
			return err
		}
		defer points.Close()
		r.Points = points
	}
	out := s.newStream()
	defer out.drop()
	err = m.Simulate(s.Context, r, func(names []string, values map[string]any) error {
		line, err := simulation(names, values)
		if err != nil {
			return err
		}
		if _, err = out.Write(line); err != nil {
			return err
		}
		return out.due()
	})
	s.Warn(m)
	if more := out.end(err == nil); err == nil {
		err = more
	}
	return err
}

// simulation is the line of what was drawn.
func simulation(names []string, values map[string]any) ([]byte, error) {
	if names == nil {
		for name := range values {
			names = append(names, name)
		}
		sort.Strings(names)
	}
	var out jsontext.Object
	for _, name := range names {
		out = append(out, jsontext.Member{Key: name, Value: jsontext.Numbers(values[name])})
	}
	data, err := jsontext.Encode(out)
	return append(data, '\n'), err
}
