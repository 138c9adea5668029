package buffers

import (
	"math/rand/v2"
	"testing"
)

// No two buffers of a random plan share a byte while both are needed; it takes no less than is needed at one time, no more than all
// on their own, and offsets are aligned.
func TestPlan(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 4))
	best, worst := 0.0, 0.0
	for range 2000 {
		p := &Plan{Where: "in @f"}
		for range 2 + r.IntN(30) {
			first := r.IntN(40)
			p.Buffers = append(p.Buffers, Buffer{Size: 1 + r.Int64N(1+r.Int64N(5000)), First: first, Last: first + r.IntN(1+r.IntN(20))})
		}
		p.place()
		end := int64(0)
		for i, b := range p.Buffers {
			end = max(end, b.Offset+b.Size)
			if b.Offset%align != 0 || b.Offset < 0 {
				t.Fatalf("offset %d", b.Offset)
			}
			for _, o := range p.Buffers[:i] {
				if b.First <= o.Last && o.First <= b.Last && b.Offset < o.Offset+o.Size && o.Offset < b.Offset+b.Size {
					t.Fatalf("%v and %v overlap", b, o)
				}
			}
		}
		if p.Bytes < end || p.Bytes < p.Peak() || p.Bytes > p.Apart() {
			t.Fatalf("%d bytes, to %d; peak %d, apart %d", p.Bytes, end, p.Peak(), p.Apart())
		}
		over := float64(p.Bytes) / float64(p.Peak())
		best, worst = best+over/2000, max(worst, over)
	}
	if best > 1.1 {
		t.Errorf("plans take %.3f times what is needed at one time on average, at worst %.2f", best, worst)
	}
	t.Logf("plans take %.3f times what is needed at one time on average, at worst %.2f", best, worst)
}
