package ir

import (
	"errors"
	"strings"
	"testing"
)

// A terminator whose Infer gives no type is its author's mistake, and says so.
func TestInferGivesNoType(t *testing.T) {
	end := Define(&OpDef{Name: "t.notype", Traits: Terminator, Infer: func(*Call) (Type, error) { return NoType, nil }})
	b := NewBuilder(NewContext())
	_, err := b.Make(Call{Def: end})
	var wrong *OpError
	if !errors.As(err, &wrong) || !wrong.Author || !strings.Contains(err.Error(), "'t.notype' op is defined wrongly: its Infer gives no type") {
		t.Errorf("got %v", err)
	}
}
