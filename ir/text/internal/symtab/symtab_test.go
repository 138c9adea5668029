package symtab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A scope finds what a map finds, through regions that open and close.
func TestScope(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := NewScope("")
	for round := range 200 {
		type level struct {
			mark  int
			names map[string]int32
		}
		levels := []level{{1, map[string]int32{}}}
		base := r.IntN(3) * 900_000
		name := func() string {
			switch r.IntN(6) {
			case 0:
				return fmt.Sprintf("%%c%d", r.IntN(300))
			case 1: // more words than there are families
				return fmt.Sprintf("%%%c%d", 'a'+r.IntN(12), r.IntN(300))
			case 2: // a word as long as one of a family may be, one that is longer, and no number
				return []string{"%abcdefg1", "%abcdefgh1", "%abcdefg", "%a.1", "%a1b"}[r.IntN(5)]
			case 3:
				return fmt.Sprintf("%%0%d", r.IntN(20))
			case 4:
				return fmt.Sprintf("%%%d", r.IntN(1<<30))
			}
			return fmt.Sprintf("%%%d", base+r.IntN(2000))
		}
		for range 3000 {
			top := &levels[len(levels)-1]
			switch n := name(); {
			case r.IntN(40) == 0:
				inner := level{len(s.Defs), map[string]int32{}}
				for k, v := range top.names {
					inner.names[k] = v
				}
				levels = append(levels, inner)
			case r.IntN(40) == 0 && len(levels) > 1:
				s.Restore(top.mark)
				levels = levels[:len(levels)-1]
			case r.IntN(2) == 0:
				at := int32(len(s.src))
				s.src += n
				slot, hashed := s.place(n, true)
				s.bind(Def{At: at, size: int32(len(n)), N: 1}, slot, hashed)
				top.names[n] = at
			default:
				d := s.Find(n)
				if want, ok := top.names[n]; ok != (d != nil) || ok && d.At != want {
					t.Fatalf("round %d: %s is %v, want %d", round, n, d, want)
				}
			}
		}
		if got, want := len(s.Visible()), len(levels[len(levels)-1].names); got != want {
			t.Fatalf("%d names are visible, want %d", got, want)
		}
		s.Restore(1)
		s.families, s.src = s.families[:0], ""
	}
	for _, f := range s.families[:cap(s.families)] {
		if slices.ContainsFunc(f.at, func(n int32) bool { return n != 0 }) {
			t.Fatal("a number is left over")
		}
	}
	for _, n := range s.table {
		if n != 0 {
			t.Fatal("a name is left over")
		}
	}
}
