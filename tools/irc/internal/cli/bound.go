package cli

import (
	"bytes"
	"path/filepath"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A Bound is the arguments of the function that a run calls.
type Bound struct {
	Entry  string
	Args   []ir.Val
	Names  []string // of those that the program gives, "" for others
	Inputs []string // of those that it is given, "" for others and for sizes
}

// bind makes the arguments of the run as the kind of input says.
func (j *job) bind(input *Input) error {
	params, err := j.s.Params()
	if err != nil {
		return err
	}
	data, err := j.s.sources("data")
	if err != nil {
		return err
	}
	bound, list := input.Bind(j.g.Ctx, j.src, data, params)
	if err := list.Err(); err != nil {
		return err
	}
	j.bound = bound
	if !j.s.IsSet("entry") {
		j.entry = bound.Entry
	}
	return nil
}

// printBound writes what the program gives: an object, or in a .npy file the one array.
func (j *job) printBound() error {
	var out jsontext.Object
	var only *interp.MemRef
	for i, name := range j.bound.Names {
		if name == "" {
			continue
		}
		only, _ = j.args[i].Ref.(*interp.MemRef)
		text, err := interp.ToJSON(j.g.Ctx, j.args[i:i+1], j.in[i:i+1])
		if err != nil {
			return err
		}
		out = append(out, jsontext.Member{Key: name, Value: rawJSON(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("[")), []byte("]")))})
	}
	if j.gradient != nil {
		more, err := j.boundDerivatives()
		if err != nil {
			return err
		}
		out = append(out, more...)
	}
	if x := j.matrix; x != nil {
		out = append(out, jsontext.Member{Key: x.name, Value: x.object()})
	}
	if path := j.s.Str("o"); filepath.Ext(path) == npyExt {
		if len(out) != 1 {
			return diag.Errorf(diag.Span{}, "a .npy file holds one array, and the program gives %d", len(out)).WithFix("write them as JSON: -o out.json")
		}
		return j.s.Write(npyOf(j.g.Ctx, only))
	}
	data, err := jsontext.Encode(out)
	if err != nil {
		return err
	}
	return j.s.Write(append(data, '\n'))
}

// rawJSON is JSON as it is.
type rawJSON []byte

// MarshalJSON returns it.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
