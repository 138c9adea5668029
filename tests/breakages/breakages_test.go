package main

import "testing"

// Each breakage applies to the sources as they are, so that the table does not
// rot; that a test notices it is for `make breakages`.
func TestBreakagesApply(t *testing.T) {
	names := map[string]bool{}
	for _, b := range table {
		if names[b.Name] || b.Breaks == "" || b.Old == b.New {
			t.Errorf("%s: two of that name, or it breaks nothing", b.Name)
		}
		names[b.Name] = true
		if _, err := b.apply("../.."); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	if len(table) < 40 {
		t.Errorf("only %d breakages", len(table))
	}
}
