package stage

import (
	"encoding/binary"
	"fmt"
)

// states are the host states that ops were made with: what all statics held, numbered from 0.
type states struct {
	held   map[string]map[any]int32 // by the name of a static: what it held, numbered over all of them
	values int32                    // how many there are
	number map[string]int32
	ended  map[string]map[any]bool // what it held where its life ended
	key    []byte
}

func newStates() states {
	return states{held: map[string]map[any]int32{}, number: map[string]int32{}, ended: map[string]map[any]bool{}}
}

// A Static is host state that belongs to a run: what it holds tells ops apart.
type Static struct {
	name string
	get  func() any // gives what can be compared
	held map[any]int32
	live bool
}

// A host is the host state of a run: the statics that live, and the number of what they hold together, which is counted again
// only when one of them may hold something else.
type host struct {
	all     *states
	statics []*Static
	state   int32 // -1: not known
	asks    bool  // a static changes without telling
}

// AddStatic makes a static; get gives what it holds, as a value that can be compared. Of statics that change without
// telling (Changed), each op asks what they hold.
func (h *host) AddStatic(name string, asks bool, get func() any) *Static {
	held := h.all.held[name]
	if held == nil {
		held = map[any]int32{}
		h.all.held[name] = held
	}
	st := &Static{name: name, get: get, held: held, live: true}
	h.statics = append(h.statics, st)
	h.asks = h.asks || asks
	h.state = -1
	return st
}

// Changed says that a static holds something else.
func (h *host) Changed() { h.state = -1 }

// Done ends the life of a static: it tells no ops apart any more.
func (h *host) Done(st *Static) {
	if ended := h.all.ended; st.live {
		if ended[st.name] == nil {
			ended[st.name] = map[any]bool{}
		}
		ended[st.name][st.get()] = true
	}
	st.live = false
	h.state = -1
	for len(h.statics) > 0 && !h.statics[len(h.statics)-1].live {
		h.statics = h.statics[:len(h.statics)-1]
	}
}

// stateNow is the number of what all statics hold.
func (h *host) stateNow() int32 {
	if h.state >= 0 && !h.asks {
		return h.state
	}
	all := h.all
	all.key = all.key[:0]
	for _, st := range h.statics {
		n := int32(-1)
		if st.live {
			v := st.get()
			var ok bool
			if n, ok = st.held[v]; !ok {
				n = all.values
				st.held[v] = n
				all.values++
			}
		}
		all.key = binary.LittleEndian.AppendUint32(all.key, uint32(n))
	}
	h.state = all.keyed()
	return h.state
}

// which numbers the variables and values of sites.
func (s *states) which(made []int32) int32 {
	s.key = append(s.key[:0], '#')
	for _, v := range made {
		s.key = binary.LittleEndian.AppendUint32(s.key, uint32(v))
	}
	return s.keyed()
}

// keyed is the number of the key, from 1.
func (s *states) keyed() int32 {
	n, ok := s.number[string(s.key)]
	if !ok {
		n = int32(len(s.number)) + 1
		s.number[string(s.key)] = n
	}
	return n
}

// grows names the static that held the most values.
func (s *states) grows() string {
	name, most := "", 1
	for n, held := range s.held {
		if len(held) > most || len(held) == most && most > 1 && n < name {
			name, most = n, len(held)
		}
	}
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s held %d different values", name, most)
}

// endedApart names a static that held different things where its life ended.
func (s *states) endedApart() string {
	name := ""
	for n, held := range s.ended {
		if len(held) > 1 && (name == "" || n < name) {
			name = n
		}
	}
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s held %d different values where its life ended", name, len(s.ended[name]))
}
