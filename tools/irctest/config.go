package irctest

import (
	"flag"
	"slices"
	"sync"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/irc/cli"
	"github.com/irc-lang/irc/tools/irc/product"
)

// A Config says with what and how much is tested. The zero value is what the functions of the package take.
type Config struct {
	// Irc is yours: programs may have its dialects, and filetests run its commands. Nil stands for that of this
	// repository. What is tested is added where its lists have it not.
	Irc *cli.Program
	// Samples are programs in text. Random programs are made of their ops, with the attributes and
	// regions that those have there, and of their functions.
	Samples []string
	Bias    Bias
	// Pipeline is what Pass runs, for a pass with options or among others; "" is the pass alone.
	Pipeline string
	// Tolerance is how far floats may be from those before a pass or a lowering, relative to them: a formula rounds
	// otherwise than Eval, and so does a sum whose order is free. 0 is not at all.
	Tolerance float64
	Programs  int    // how many random programs; 0 is 300. The flag -irctest.programs replaces it
	Seed      uint64 // of the first program. The flag -irctest.seed replaces it
}

// A Bias says what random programs look like.
type Bias struct {
	Ops   []string // names of ops, of any dialect, that are to be frequent
	Types []string // the types of numbers; nil stands for all
	Size  int      // ops in a program; 0 stands for 3 to 40, by the seed
	// How much there is of: branches, loops and calls; memory; values that are poison, and control by what is only
	// guarded against it; overflow flags; divisors of zero and indices out of bounds.
	Control, Memory, Poison, Overflow, Traps Amount
}

// An Amount says how much of something random programs have.
type Amount int

// The amounts.
const (
	Some Amount = iota
	None
	Much
)

var (
	update       = flag.Bool("update", false, "irctest.Files writes what commands print into the files")
	flagPrograms = flag.Int("irctest.programs", 0, "how many random programs a test of irctest runs, if not 0")
	flagSeed     = flag.Uint64("irctest.seed", 0, "the seed of the first program, if not 0")
)

// served is set by Main.
var served bool

// Main runs the tests of a package. Native code runs in a child process that is the test binary again: without
//
//	func TestMain(m *testing.M) { os.Exit(irctest.Main(m)) }
//
// nothing is compared with LLVM.
func Main(m *testing.M) int {
	product.ServeIfChild()
	served = true
	return m.Run()
}

// ours is the irc of this repository.
var ours = sync.OnceValue(product.All)

// irc is the user's, or ours, as a copy that may be added to.
func (c Config) irc() *cli.Program {
	p := c.Irc
	if p == nil {
		p = ours()
	}
	q := *p
	q.Dialects, q.Passes = slices.Clone(p.Dialects), slices.Clone(p.Passes)
	return &q
}

// with adds a dialect to a list, or takes the place of the one of its name there.
func with(list []*ir.Dialect, d *ir.Dialect) []*ir.Dialect {
	list = slices.Clone(list)
	for i, e := range list {
		if e.Name == d.Name {
			list[i] = d
			return list
		}
	}
	return append(list, d)
}

func (c Config) programs() int {
	switch {
	case *flagPrograms != 0:
		return *flagPrograms
	case c.Programs != 0:
		return c.Programs
	}
	return 300
}

func (c Config) seed() uint64 {
	if *flagSeed != 0 {
		return *flagSeed
	}
	return c.Seed
}
