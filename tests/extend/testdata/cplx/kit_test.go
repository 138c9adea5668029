package main

import (
	"os"
	"testing"

	"example.org/cplx/point"
	"example.org/cplx/toy"
	"github.com/irc-lang/irc/tools/irctest"
)

func TestMain(m *testing.M) { os.Exit(irctest.Main(m)) }

// kit has what this module adds, and programs that are more than one op after the other.
var kit = irctest.Config{Irc: program(), Programs: 60, Samples: []string{read("fuse.mlir"), read("repeat.mlir"), read("orbit.mlir"), read("vector.mlir"), read("norm.mlir"), realPart}}

// realPart is what the cleanup looks for: a product of which only one part is used.
const realPart = `func.func @f(%x: !cplx.number<f64>, %y: !cplx.number<f64>) -> f64 {
  %p = cplx.mul %x, %y
  %r = cplx.re %p
  return %r : f64
}`

func read(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestDialect(t *testing.T) { kit.Dialect(t, Dialect) }

func TestMutants(t *testing.T) { kit.Mutate(t, Dialect) }

func TestFuse(t *testing.T) { kit.Pass(t, FusePass) }

// To branch on poison is what unswitching may do wrong: most numbers may be poison.
func TestUnswitch(t *testing.T) {
	c := kit
	c.Samples = append(c.Samples, read("unswitch.mlir"))
	c.Bias = irctest.Bias{Control: irctest.Much, Poison: irctest.Much, Overflow: irctest.Much}
	c.Pass(t, UnswitchPass)
}

func TestStrength(t *testing.T) { kit.Pass(t, StrengthPass) }

func TestFixed(t *testing.T) {
	c := kit
	c.Samples = []string{read("fixed.mlir")}
	c.Dialect(t, point.Dialect)
	c.Mutate(t, point.Dialect)
}

func TestFiles(t *testing.T) { kit.Files(t, "testdata/*.mlir") }

// Shapes are known: where they are not, two arrays may be of different ones, and nothing is lowered.
func TestToy(t *testing.T) {
	c := kit
	c.Programs, c.Samples = 40, []string{read("shaped.mlir")}
	c.Dialect(t, toy.Dialect)
}

func TestShapes(t *testing.T) {
	c := kit
	c.Programs, c.Samples = 40, []string{read("shaped.mlir")}
	c.Pass(t, toy.ShapesPass)
}
