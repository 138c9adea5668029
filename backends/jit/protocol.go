//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"encoding/binary"
	"errors"
	"time"
)

// Environment of a child, and its descriptors.
const (
	childEnv   = "IRC_JIT_CHILD"
	serviceEnv = "IRC_JIT_SERVICE"
	fdRequest  = 3
	fdReply    = 4
	fdArena    = 5
	fdPrints   = 6
)

// protocolVersion is in the first reply, so that a parent never talks to an
// executable that is something else or of another build.
const protocolVersion = 1

type opcode uint8

const (
	opLimits opcode = iota
	opCompile
	opDrop
	opMap
	opRead
	opWrite
	opFree
	opCalls
	opRepeat
	opAsk
	opEmit
)

// request is every question to the child; an op uses some fields. Calls are kept
// flat (one slice per field, not one struct per call): gob is then fast.
type request struct {
	Op      opcode
	IR      string
	Options Options
	Module  uint32
	Symbols []string // opCalls: the distinct symbols
	Fn      []uint32 // per call: index into Symbols
	NArgs   []uint32
	NRes    []uint32
	Slots   []uint64 // all arguments; opFree, opRead: the addresses to free
	Count   int64    // opRepeat: runs; opEmit: the Kind, or -1 for optimised text
	Addr    uint64   // opCalls: where results go
	Off     int64
	Size    int64    // opLimits: memory; opCalls: bytes for results
	Output  int64    // opLimits
	Prints  int64    // opLimits
	Threads int      // opLimits: of the pool
	Links   []string // opLimits
	Data    []byte   // opWrite, opAsk
}

// reply answers a request; Err is empty on success.
type reply struct {
	Protocol int // hello only
	Info     Info
	Missing  *MissingError

	Err     string
	Compile *CompileError

	Module uint32
	Names  []string
	Timing Timing
	Addr   uint64
	Data   []byte
	Size   int64 // opRepeat: runs made

	log []byte // what the calls printed, unless that was handed on; filled in by the parent
}

// err is the error in a reply.
func (r *reply) err() error {
	switch {
	case r.Missing != nil:
		return r.Missing
	case r.Compile != nil:
		return r.Compile
	case r.Err != "":
		return errors.New("jit: " + r.Err)
	}
	return nil
}

// What a call leaves in front of its results, in memory that both sides see: what was
// done before a fault is then known.
const (
	headStatus = iota
	headWall   // nanoseconds
	headLog    // length of its part of the log
	headDropped
	headWords
)

// readResults takes apart what calls left. Native code may have spoilt it.
func readResults(area []byte, nres []uint32, log []byte) []Result {
	out := make([]Result, len(nres))
	word := func() uint64 {
		w := binary.NativeEndian.Uint64(area)
		area = area[8:]
		return w
	}
	for i, n := range nres {
		var head [headWords]uint64
		for k := range head {
			head[k] = word()
		}
		m := min(head[headLog], uint64(len(log)))
		out[i] = Result{Status: int32(head[headStatus]), Wall: time.Duration(head[headWall]), Dropped: head[headDropped],
			Results: make([]uint64, n), Printed: decodeLog(log[:m])}
		for k := range out[i].Results {
			out[i].Results[k] = word()
		}
		log = log[m:]
	}
	return out
}

// decodeLog reads the records of runtime.ll. Native code can write nonsense into
// the log, so a string longer than the log ends at the log's end.
func decodeLog(log []byte) []Printed {
	const record = 9
	if len(log) < record {
		return nil
	}
	out := make([]Printed, 0, len(log)/record)
	for len(log) >= record {
		p := Printed{Kind: PrintKind(log[0]), Bits: binary.NativeEndian.Uint64(log[1:])}
		log = log[record:]
		if p.Kind == PrintStr {
			n := min(p.Bits, uint64(len(log)))
			p.Text = string(log[:n])
			log = log[n:]
		}
		out = append(out, p)
	}
	return out
}
