package cuda

import (
	"bytes"
	"encoding/gob"
	"errors"
)

type opcode uint8

const (
	opOpen opcode = iota
	opLoad
	opUnload
	opAlloc
	opFree
	opCopyIn
	opCopyOut
	opLaunch
	opTime
	opClose
)

// question is every request to the child; an op uses some fields.
type question struct {
	Op     opcode
	Device int    // opOpen
	PTX    string // opLoad
	Flag   string // opLoad
	Module uint32
	Mem    Mem
	Host   uint64 // an address in the child
	Bytes  int64
	Launch Launch
	Runs   int // opTime
}

// answer replies to a question; at most one of the errors is set.
type answer struct {
	Missing *MissingError
	Failed  *Error
	Err     string

	Device Device
	Module uint32
	Mem    Mem
	Flag   uint32    // opLaunch, opTime
	Millis []float32 // opTime: of each run
}

func (a *answer) err() error {
	switch {
	case a.Missing != nil:
		return a.Missing
	case a.Failed != nil:
		return a.Failed
	case a.Err != "":
		return errors.New(a.Err)
	}
	return nil
}

// setErr puts an error where err finds it.
func (a *answer) setErr(err error) {
	switch {
	case errors.As(err, &a.Missing), errors.As(err, &a.Failed):
	case err != nil:
		a.Err = err.Error()
	}
}

func encode(x any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(x)
	return b.Bytes(), err
}

func decode(data []byte, x any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(x) }
