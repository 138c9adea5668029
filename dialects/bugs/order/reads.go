package order

import (
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A found dependence is one that is entered if no read of the statement is wrong.
type found struct {
	from *model.Statement
	v    *model.Var
	vec  []int8
}

// readsByRegion finds what a statement reads by regions, and by walks over packed
// indices where these do not tell. It returns false if something is wrong, and then
// enters nothing.
func (fd *finder) readsByRegion(s *model.Statement, refs []*syntax.Ref) bool {
	f := eval.NewFrame(fd.Model, s)
	var all []found
	add := func(from *model.Statement, v *model.Var, vec []int8) { all = append(all, found{from, v, vec}) }
	for _, r := range refs {
		a, how := fd.Reading(s, f, r)
		if how == bind.Decided {
			how = fd.regionReads(a, add)
		}
		if how == bind.Wrong || how == bind.Unclear && !fd.walk(s, r, add) {
			return false
		}
	}
	for _, x := range all {
		fd.enter(x.from, s, x.v, x.vec)
	}
	return true
}

// regionReads finds the dependences of an access whose region is known.
func (fd *finder) regionReads(a *bind.Reading, add func(from *model.Statement, v *model.Var, vec []int8)) bind.Outcome {
	v := a.Var
	if v.Known.All() && !fd.known {
		return bind.Decided
	}
	if v.Drawn.Dense != nil || v.Assigned.Dense != nil {
		return bind.Unclear
	}
	defined := v.KnownIn(a.Reach)
	for _, o := range []*model.Owners{&v.Drawn, &v.Assigned} {
		for _, p := range o.Parts {
			common := p.And(a.Reach)
			n := common.Size()
			if n == 0 {
				continue
			}
			if !fd.known {
				known := v.KnownIn(common)
				switch defined += n - known; {
				case known == n:
					continue
				case known > 0: // some vectors may come from known elements alone
					return bind.Unclear
				}
			}
			vectors, how := vectors(fd.Builder, a, p, n == a.Reach.Size())
			if how != bind.Decided {
				return how
			}
			for _, vec := range vectors {
				add(p.By, v, vec)
			}
		}
	}
	if fd.known || defined == a.Reach.Size() {
		return bind.Decided
	}
	if a.Exact {
		return bind.Wrong
	}
	return bind.Unclear
}

// vectors finds the signs of the distances from the definitions of a part to an
// access that may read it; whole says that it reads nothing else. That, or a region all of
// which is read, proves that the constant distance is that of some pair of iterations.
func vectors(b *bind.Builder, a *bind.Reading, p model.Part, whole bool) ([][]int8, bind.Outcome) {
	shared := model.SharedLoops(p.By, a.Stmt)
	if vec, ok := constantDistance(a, p.By, shared); ok && (whole || a.Exact) {
		return [][]int8{vec}, bind.Decided
	}
	for _, loose := range a.Loose {
		if loose {
			return nil, bind.Unclear
		}
	}
	if !a.Stmt.Domain.IsBox() || shared > maxShared {
		return nil, bind.Unclear
	}
	return solve(b, a, p.By, shared)
}

// constantDistance finds the vector where each shared loop's variable is an index on
// both sides, so that it has the same distance for all pairs.
func constantDistance(a *bind.Reading, from *model.Statement, shared int) ([]int8, bool) {
	vec := []int8{}
	for k := range shared {
		d := from.Defines.DimOf[k]
		if d < 0 { // one iteration, on both sides
			vec = append(vec, 0)
			continue
		}
		def, use := from.Defines.Lo[d], a.Lo[d]
		width, ok := a.Hi[d].Plus(-1, use)
		if l, one := use.Loop(); !ok || a.Loose[d] || !one || l != k || use.At(k) != def.At(k) || width.Const != 0 || !width.Constant() {
			return nil, false
		}
		vec = append(vec, model.Sign(int32((def.Const-use.Const)*def.At(k))))
	}
	return vec, true
}
