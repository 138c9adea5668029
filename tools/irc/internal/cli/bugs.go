package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// A Frontend reads models.
type Frontend interface {
	// Compile reads a model with its data. The error is a diag.List or a
	// *diag.Diagnostic where there is a place.
	Compile(ctx *ir.Context, r ModelRequest) (Model, error)
}

// A ModelRequest is a model and all that the command line says about it.
type ModelRequest struct {
	Source    *diag.Source
	Data      []*diag.Source // of -data, in order; formats by extension
	Inits     []*diag.Source
	Shapes    *diag.Source      // nil without -shapes
	Params    map[string]string // of -D
	Dialect   string            // "bugs", "jags", or "": BUGS, or JAGS if only that reads it
	Strict    bool
	FillInits string // "" or "prior"
	Scale     string // "constrained" or "unconstrained"
	Seed      uint64

	Forget func() // gives the memory of large files back; to be called when data and inits have been read
}

// A Model is a compiled model.
type Model interface {
	// Graph is the program at the model's own level.
	Graph() *ir.Graph
	// Source is the program as it is written, on which passes on models run; Context
	// gives them the model, and StatementGraph draws what bugs-statement-graph found,
	// in DOT, if there is something in a graph.
	Source() (*ir.Graph, error)
	Context(ctx context.Context) context.Context
	StatementGraph(g *ir.Graph) (string, error)
	// Library is the program with the functions that samplers ask for, with both beside the joint density. Extend gives LLVM IR
	// of those with C's types, to add to that of the program once it is lowered, and declares them in C.
	Library(both bool) (*ir.Graph, error)
	Extend(lowered *ir.Graph, text string) (more, header string, err error)
	// Warnings lists what was said about the model and its files so far.
	Warnings() diag.List
	// Facts says what the model consists of.
	Facts() ModelFacts
	// Stages is the pipeline of the passes by which it is compiled.
	Stages() string
	// Drawing is the model with its plates.
	Drawing() *plate.Model
	// LogDensity evaluates the joint log density at each point, compiling once,
	// and calls yield for each in order, as soon as it is there. That a point has no
	// density is no error.
	LogDensity(ctx context.Context, r DensityRequest, yield func(Density) error) error
	// Sample runs chains on the posterior distribution.
	Sample(ctx context.Context, r SampleRequest) error
	// Simulate draws every node that neither the data nor the initial values give,
	// forward, in dependence order.
	Simulate(ctx context.Context, r SimulationRequest, yield func(names []string, values map[string]any) error) error
}

// ModelFacts are numbers and names of a model.
type ModelFacts struct {
	Name                 string
	Parameters, Observed int      // scalars with the role of a parameter, and observed nodes
	Generated            int      // scalars that are drawn, with no observed descendant
	Order                []string // the statements in the order in which they are run
	// With -scale=unconstrained: the names of the vector, of which an element may be that
	// of a matrix, and how the parameter comes from each. There may be very many.
	Unconstrained bool
	Coordinates   int
	Coordinate    func(i int) (name, transform string)
	// Tables are the arguments of the density that are computed of the data, and are not part of them.
	Tables func() map[string]jsontext.Array
}

// coordinates are something of each coordinate.
func (f *ModelFacts) coordinates(what func(name, transform string) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range f.Coordinates {
			if !yield(what(f.Coordinate(i))) {
				return
			}
		}
	}
}

// A SimulationRequest is what irc run asks of a model: one simulation, or one for each of
// the points, given what it says of the nodes.
type SimulationRequest struct {
	Seed       uint64
	Points     io.Reader // nil: the initial values alone
	PointsName string
}

// A DensityRequest asks for log densities.
type DensityRequest struct {
	Engine     *contract.Kind
	Points     io.Reader // JSON, or CSV of draws, read as it comes; nil stands for the initial values, which complete each point
	PointsName string
	Idle       func() error   // hears before a point is waited for
	Values     []string       // logical nodes to show
	Gradient   bool           // give derivatives
	Reasons    bool           // say which node has no density
	Target     *target.Target // what runs it
	Level      contract.Level // of native code
	Once       bool           // there is one point
	// Lower takes the density down to a target.
	Lower     func(*ir.Graph, *target.Target) (*ir.Graph, error)
	Unchecked bool
	Fuel      int64
	Runs      func(contract.Program) // hears what runs it, which says why
	MemLimit  int64                  // bytes of all that run; 0 for no limit
	Child     contract.Process
}

func (r DensityRequest) options() contract.Options {
	o := contract.Options{Unchecked: r.Unchecked, Fuel: r.Fuel, Target: r.Target, Level: r.Level, Once: r.Once, MemLimit: r.MemLimit, Child: r.Child}
	if r.Target != nil && !r.Once { // each core has a process, where there are many points
		o.MemLimit /= int64(max(1, r.Target.Cores))
		o.Child.Memory = o.MemLimit
	}
	return o
}

// Start starts the contract.
func (r DensityRequest) Start(ctx context.Context) (contract.Engine, error) {
	e, _, err := r.Engine.Start(ctx, r.options())
	return e, err
}

// Names are those of elements, of which there may be very many.
type Names struct {
	Len int
	All iter.Seq[string]
}

// The values of Density.Status, "" for a point that has a density.
const (
	StatusOutside = "outside" // a value is outside of the support, or so far out that its density is 0
	StatusInvalid = "invalid" // a parameter of a distribution, or an index, has no meaning there
)

// A Density is the log density at one point.
type Density struct {
	LogP, Observed float64
	LogJacobian    float64   // part of LogP with -scale=unconstrained
	Vector         []float64 // the point on that scale
	Engine         string
	Nodes          []NodeDensity // in the order of the model
	Values         map[string]jsontext.Array
	Gradient       []float64 // by Coordinates, NaN where there is no density; nil if it was not asked for
	Coordinates    []string
	Filled         Names // nodes whose initial values were filled in
	// Of a point without a density, whose LogP is -Inf: why, the node with Reasons or an
	// error, and the error where there is one.
	Status, Node string
	Err          error
}

// A NodeDensity is the part of one variable.
type NodeDensity struct {
	Name string
	LogP float64
}

// Model compiles the model of the command line.
func (s *Session) Model(ctx *ir.Context, src *diag.Source, kind *Input) (Model, error) {
	r := ModelRequest{Source: src, Dialect: s.Str("dialect"), Strict: s.Flag("strict"),
		FillInits: s.Str("fill-inits"), Scale: s.Str("scale"), Seed: s.Seed(), Forget: s.read.forget}
	if k := s.EmitKind(); k != nil && k.Shared || s.cmd.Letter == OnSample {
		r.Scale = "unconstrained"
	}
	var err error
	if r.Params, err = s.Params(); err != nil {
		return nil, err
	}
	if r.Data, err = s.sources("data"); err != nil {
		return nil, err
	}
	if r.Inits, err = s.sources("inits"); err != nil {
		return nil, err
	}
	if path := s.Str("shapes"); path != "" {
		t, err := s.Read(path)
		if err != nil {
			return nil, err
		}
		r.Shapes = diag.NewSource(path, t)
	}
	return kind.Model.Compile(ctx, r)
}

// Params are the values of -D.
func (l *commandLine) Params() (map[string]string, error) {
	out := map[string]string{}
	for _, d := range l.strs("D") {
		name, value, ok := strings.Cut(d, "=")
		if !ok || name == "" {
			return nil, Usagef("write -D N=100", "-D %s gives no value", d)
		}
		out[name] = value
	}
	return out, nil
}

// StartModel is the program of a model on which the passes of the command line run: as it
// is written if one of them works on that.
func (s *Session) StartModel(m Model) (*ir.Graph, error) {
	s.bugs = m
	k := s.EmitKind()
	switch shared := k != nil && k.Shared; {
	case shared, k != nil && k.Library && m.Facts().Unconstrained && !s.asWritten:
		g, err := m.Library(!shared)
		if s.extended = err == nil; s.extended || shared {
			return g, err
		}
		fmt.Fprintln(s.Stderr, diag.Warningf(diag.Span{}, "the file has no functions of BridgeStan: %s", reason(err)))
		return m.Graph(), nil
	case !s.asWritten:
		return m.Graph(), nil
	}
	s.Context = m.Context(s.Context)
	return m.Source()
}

// sources reads the files of a flag that may be given several times.
func (r *reader) sources(flag string) ([]*diag.Source, error) {
	var out []*diag.Source
	for _, path := range r.line.strs(flag) {
		t, err := r.Read(path)
		if err != nil {
			return nil, err
		}
		out = append(out, diag.NewSource(path, t))
	}
	return out, nil
}

// NeedModel reads the model of a command that takes nothing else.
func (s *Session) NeedModel() (*diag.Source, *Input, error) {
	src, kind, err := s.Input()
	if err != nil {
		return nil, nil, err
	}
	if kind.Model == nil {
		models := slices.DeleteFunc(slices.Clone(s.Program.Inputs), func(k *Input) bool { return k.Model == nil })
		if len(models) == 0 {
			return nil, nil, Usagef("", "this irc is built without models")
		}
		return nil, nil, Usagef(howToName(models), "`irc %s` wants %s, and %q is none", s.cmd.Name, models[0].What, filepath.Base(src.Name))
	}
	return src, kind, nil
}

// Warn shows the warnings about a model.
func (s *Session) Warn(m Model) {
	for _, d := range m.Warnings() {
		fmt.Fprintln(s.Stderr, d)
	}
}

// What runs although no -passes names it is shown too by -print-after-all and the
// like: the way of a model to sequential code, and that of a program to the backend.
// To look changes nothing: without these flags the same is done.

// printsPasses reports that the IR between passes is to be shown.
func (l *commandLine) printsPasses() bool {
	return l.Flag("print-before-all") || l.Flag("print-after-all") || l.Flag("print-after-change") || l.Flag("print-after-failure") ||
		len(l.strs("print-before")) > 0 || len(l.strs("print-after")) > 0
}

// ShowStages shows the stages of a model, which is compiled at once, on a copy as it
// is written.
func (s *Session) ShowStages(src *diag.Source) error {
	if s.asWritten || !s.printsPasses() {
		return nil
	}
	g, err := s.bugs.Source()
	if err == nil {
		var p *pass.Pipeline
		if p, err = pass.Parse(s.bugs.Stages(), s.Program.Passes); err == nil {
			_, err = s.Lowered(g, src, p, nil)
		}
	}
	return err
}
