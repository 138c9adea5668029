// Package nvgpu is MLIR's dialect for what NVIDIA's GPUs of compute capability 8.0 and later have besides threads: products of
// small matrices by a warp (nvgpu.mma.sync), loads of them from shared memory (nvgpu.ldmatrix), and copies to
// shared memory that go on by themselves (nvgpu.device_async_copy).
//
// A matrix of a warp is spread over its 32 threads in fragments (NVIDIA, PTX ISA, "Matrix fragments for mma.m16n8k16" and
// ".m16n8k8"; fragments.go). With g = lane / 4 and q = lane % 4 a thread has of
//
//	A, 16 x 16, vector<4x2>  row g, columns 2q and 2q+1; the same of row g+8; columns 2q+8 and 2q+9 of both
//	B, 16 x 8, vector<2x2>   rows 2q and 2q+1 of column g; rows 2q+8 and 2q+9
//	C, 16 x 8, vector<2x2>   row g, columns 2q and 2q+1; the same of row g+8
//	A, 16 x 8, vector<4x1>   of f32: row g, column q; row g+8; column q+4 of both
//	B, 8 x 8, vector<2x1>    of f32: row q, column g; row q+4
//
// What holds of results: the products of a dot product and the number added to it are summed up with no rounding in between
// here, and rounded once; a GPU adds them in an order that nobody knows, with a few bits more than f32. f32 that is multiplied
// as tf32 loses its lowest 13 bits first.
//
// A copy ends when its thread waits for the group that it is in (nvgpu.device_async_wait); before that there is
// nothing where it goes to. Other threads see it after a barrier that follows.
package nvgpu

import (
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// Dialect is the nvgpu dialect.
var Dialect = &ir.Dialect{
	Name:   "nvgpu",
	Doc:    "Products of matrices by warps, and asynchronous copies to shared memory, as NVIDIA's GPUs have them.",
	Ops:    append([]*ir.OpDef{AsyncCopy, AsyncGroup, AsyncWait, Ldmatrix, MmaSync}, textOnly...),
	Types:  []ir.Defined{tokenType},
	Tables: []any{syntax.With(textSyntax), asText, table, meets, brings, accesses, elsewhere},
}

var elsewhere lower.Elsewhere = func(*ir.OpDef) string { return "the backend of GPUs translates it" }

var tokenType = ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "nvgpu.device.async.token", Doc: "A copy, or a group of them."})

// Token is the type of copies and groups of them.
func Token(c *ir.Context) ir.Type { return tokenType.Type(c, ir.Unit{}) }

var meets = ir.Interface[device.Meets]{MmaSync: func(ir.Node) device.Meets { return device.Meets{} }, Ldmatrix: func(ir.Node) device.Meets { return device.Meets{} }}

var brings = ir.Interface[device.Brings]{AsyncCopy: func(ir.Node) device.Brings { return device.Brings{} }}
