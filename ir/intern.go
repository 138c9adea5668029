package ir

import "github.com/irc-lang/irc/ir/internal/intern"

// share finds an equal node that may stand for this one, or adds it.
//
// A node that may trap, is built inside a barrier, or needs a region so deep that
// its home is not known exactly is shared only with one that was built in the same
// region or one around it up to the barrier.
func (b *Builder) share(rec record, args, hard, soft []Value, regions []Region) Value {
	h := b.hashNode(&rec, args, hard, regions)
	if rec.flags&flagPartial == 0 && b.barriers == 0 && rec.needs&deepest == 0 {
		return b.lookup(h, rec, args, hard, soft, regions)
	}
	for i := len(b.scopes) - 1; i >= 0; i-- {
		s := &b.scopes[i]
		if v := b.find(intern.Mix(h, uint64(s.region)+1), &rec, args, hard, regions, s.region); v != 0 {
			return b.shared(v, regions)
		}
		if s.kind == Barrier {
			break
		}
	}
	return b.insert(intern.Mix(h, uint64(b.top().region)+1), rec, args, hard, soft, regions)
}

func (b *Builder) lookup(h uint64, rec record, args, hard, soft []Value, regions []Region) Value {
	if v := b.find(h, &rec, args, hard, regions, noRegion); v != 0 {
		return b.shared(v, regions)
	}
	return b.insert(h, rec, args, hard, soft, regions)
}

// shared counts the regions that lost against those of an equal op.
func (b *Builder) shared(v Value, regions []Region) Value {
	for _, r := range regions {
		b.g.Garbage += len(b.g.regions[r].members)
	}
	return v
}

const noRegion = ^Region(0)

func (b *Builder) hashNode(rec *record, args, hard []Value, regions []Region) uint64 {
	h := intern.Mix(intern.HashSeed, uint64(rec.op)<<32|uint64(rec.typ))
	h = intern.Mix(h, uint64(rec.attr))
	if len(args) >= 2 && b.commutative(rec.op) {
		h = intern.Mix(h, uint64(min(args[0], args[1])))
		h = intern.Mix(h, uint64(max(args[0], args[1])))
		args = args[2:]
	}
	for _, a := range args {
		h = intern.Mix(h, uint64(a))
	}
	for _, a := range hard {
		h = intern.Mix(h, uint64(a)|1<<40)
	}
	for _, r := range regions {
		h = intern.Mix(h, b.g.regions[r].hash)
		free := uint64(0) // in any order
		for _, v := range b.g.regions[r].frees {
			free += intern.Mix(intern.HashSeed, uint64(v))
		}
		h = intern.Mix(h, free)
	}
	return h
}

func (b *Builder) commutative(op Op) bool {
	return op < firstUnknown && b.g.Ctx.Def(op).Traits&Commutative != 0
}

// find looks an equal node up; home is where it must live, or noRegion.
func (b *Builder) find(h uint64, rec *record, args, hard []Value, regions []Region, home Region) Value {
	mask, key := uint32(len(b.table)-1), uint32(h>>32)
	for i := key & mask; ; i = (i + 1) & mask {
		b.steps++
		s := b.table[i]
		if s.v == 0 {
			return 0
		}
		if s.hash == key && (home == noRegion || b.g.nodes[s.v].home == home) && b.equal(s.v, rec, args, hard, regions) {
			return s.v
		}
	}
}

func (b *Builder) equal(v Value, rec *record, args, hard []Value, regions []Region) bool {
	g := b.g
	old := &g.nodes[v]
	if old.op != rec.op || old.typ != rec.typ || old.attr != rec.attr || (old.flags^rec.flags)&(flagPartial|flagTraps) != 0 ||
		int(old.nargs) != len(args) || int(old.nhard) != len(hard) || int(old.nreg) != len(regions) {
		return false
	}
	oldArgs := g.Args(v)
	if len(args) >= 2 && oldArgs[0] != args[0] && b.commutative(rec.op) {
		if oldArgs[0] != args[1] || oldArgs[1] != args[0] {
			return false
		}
		oldArgs, args = oldArgs[2:], args[2:]
	}
	for i, a := range oldArgs {
		if a != args[i] {
			return false
		}
	}
	for i, a := range g.Hard(v) {
		if a != hard[i] {
			return false
		}
	}
	oldRegions := g.Regions(v)
	if len(oldRegions) != len(regions) {
		return false
	}
	for i, r := range oldRegions {
		if !g.equalRegions(regions[i], r, renaming{}) {
			return false
		}
	}
	return true
}

func (b *Builder) insert(h uint64, rec record, args, hard, soft []Value, regions []Region) Value {
	if 8*b.used >= 5*len(b.table) {
		b.grow(2 * len(b.table))
	}
	v := b.add(rec, args, hard, soft, regions)
	b.place(slot{uint32(h >> 32), v})
	b.used++
	return v
}

func (b *Builder) place(s slot) {
	mask := uint32(len(b.table) - 1)
	i := s.hash & mask
	for b.table[i].v != 0 {
		i = (i + 1) & mask
	}
	b.table[i] = s
}

func (b *Builder) grow(size int) {
	old := b.table
	b.table = make([]slot, size)
	for _, s := range old {
		if s.v != 0 {
			b.place(s)
		}
	}
}
