// Package dialects lists the dialects that irc has, low to high: a dialect
// imports only those before it.
package dialects

import (
	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/linalg"
	"github.com/irc-lang/irc/dialects/linalg/tensors"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/lowering"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/nvgpu"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/tensor"
	tensorlowering "github.com/irc-lang/irc/dialects/tensor/lowering"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// All lists every dialect.
var All = []*ir.Dialect{
	builtin.Dialect,
	ub.Dialect,
	arith.Dialect,
	funcs.Dialect,
	math.Dialect,
	special.Dialect,
	cf.Dialect,
	scf.Dialect,
	memref.Dialect,
	vector.Dialect,
	affine.Dialect,
	device.Dialect,
	nvgpu.Dialect,
	loop.Dialect.With(lowering.Table),
	poly.Dialect,
	tensor.Dialect.With(tensorlowering.Table, tensorlowering.Order),
	tensors.Dialect,
	linalg.Dialect,
	prob.Dialect,
	bugs.Dialect,
}
