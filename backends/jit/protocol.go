//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"encoding/binary"
	"errors"
	"fmt"
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
	Slots   []uint64 // all arguments; opFree: the addresses
	Count   int64    // opRepeat: runs
	Addr    uint64
	Off     int64
	Size    int64    // opLimits: memory
	Output  int64    // opLimits
	Prints  int64    // opLimits
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

	Module  uint32
	Names   []string
	Timing  Timing
	Addr    uint64
	Data    []byte
	Status  []int32
	Slots   []uint64 // all results
	Wall    []int64  // nanoseconds
	LogLen  []uint32
	Dropped []uint64
	Size    int64 // opRepeat: runs made

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

// results takes a reply to opCalls apart.
func (r *reply) results(nres []uint32) ([]Result, error) {
	n := len(r.Status)
	if n != len(nres) || len(r.Wall) != n || len(r.LogLen) != n || len(r.Dropped) != n {
		return nil, fmt.Errorf("jit: the child sent %d results for %d calls", n, len(nres))
	}
	out := make([]Result, n)
	slots, log := r.Slots, r.log
	for i := range out {
		k, m := int(nres[i]), min(int(r.LogLen[i]), len(log))
		if k > len(slots) {
			return nil, fmt.Errorf("jit: the child's reply is short at call %d", i)
		}
		out[i] = Result{Status: r.Status[i], Results: slots[:k:k], Dropped: r.Dropped[i], Wall: time.Duration(r.Wall[i])}
		out[i].Printed = decodeLog(log[:m])
		slots, log = slots[k:], log[m:]
	}
	return out, nil
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
