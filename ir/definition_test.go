package ir

import (
	"errors"
	"strings"
	"testing"
)

// A terminator whose Infer gives no type is its author's mistake; an op that takes its
// type from the text, and has none there, is the program's.
func TestInferGivesNoType(t *testing.T) {
	end := Define(&OpDef{Name: "t.notype", Traits: Terminator, Infer: func(*Call) (Type, error) { return NoType, nil }})
	given := Define(&OpDef{Name: "t.given", Infer: func(c *Call) (Type, error) { return c.Type, nil }})
	b := NewBuilder(NewContext())
	_, err := b.Make(Call{Def: end})
	var wrong *OpError
	if !errors.As(err, &wrong) || !wrong.Author || !strings.Contains(err.Error(), "'t.notype' op is defined wrongly: its Infer gives no type") {
		t.Errorf("got %v", err)
	}
	_, err = b.Make(Call{Def: given})
	if !errors.As(err, &wrong) || wrong.Author || !strings.Contains(err.Error(), "needs its result type") {
		t.Errorf("got %v", err)
	}
	if _, err := b.Make(Call{Def: given, Type: I32}); err != nil {
		t.Error(err)
	}
}
