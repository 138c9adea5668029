package expr

// Op is what the root of an expression is.
type Op uint8

// The kinds of expressions.
const (
	OpConst Op = iota // the number N
	OpDim             // dimension N
	OpSym             // symbol N
	OpAdd
	OpMul // R has no dimension
	OpMod // R has none, of this and the following
	OpFloorDiv
	OpCeilDiv
)

// An Expr is an affine expression. It never changes. The functions that make one simplify it
// as MLIR does, so that it prints as MLIR prints it.
type Expr struct {
	Op   Op
	N    int64
	L, R *Expr
	size int
}

// MaxSize bounds the parts of an expression that is read: simplifying compares and copies.
const MaxSize = 10000

// Const is a number.
func Const(n int64) *Expr { return &Expr{Op: OpConst, N: n, size: 1} }

// Dim is dimension i.
func Dim(i int) *Expr { return &Expr{Op: OpDim, N: int64(i), size: 1} }

// Sym is symbol i.
func Sym(i int) *Expr { return &Expr{Op: OpSym, N: int64(i), size: 1} }

// Size is the number of parts.
func (e *Expr) Size() int { return e.size }

// IsConst reports a number.
func (e *Expr) IsConst() bool { return e.Op == OpConst }

// Is reports the number n.
func (e *Expr) Is(n int64) bool { return e.Op == OpConst && e.N == n }

// Fixed holds for what has no dimension in it.
func (e *Expr) Fixed() bool {
	switch e.Op {
	case OpDim:
		return false
	case OpSym, OpConst:
		return true
	}
	return e.L.Fixed() && e.R.Fixed()
}

// Equal reports expressions that are written alike.
func Equal(a, b *Expr) bool {
	if a == b {
		return true
	}
	if a.Op != b.Op || a.N != b.N || a.size != b.size {
		return false
	}
	return a.L == nil || Equal(a.L, b.L) && Equal(a.R, b.R)
}

func raw(op Op, l, r *Expr) *Expr {
	return &Expr{Op: op, L: l, R: r, size: min(l.size+r.size+1, 1<<30)}
}

// Add is l + r.
func Add(l, r *Expr) *Expr {
	if l.IsConst() && r.IsConst() {
		if n, ok := addInt(l.N, r.N); ok {
			return Const(n)
		}
		return raw(OpAdd, l, r)
	}
	if l.IsConst() || l.Fixed() && !r.Fixed() {
		return Add(r, l)
	}
	if r.IsConst() {
		if r.N == 0 {
			return l
		}
		if l.Op == OpAdd && l.R.IsConst() {
			if n, ok := addInt(l.R.N, r.N); ok {
				return Add(l.L, Const(n))
			}
		}
	}
	x, a := l.term()
	y, b := r.term()
	if n, ok := addInt(a, b); ok && Equal(x, y) {
		return Mul(x, Const(n))
	}
	if l.Op == OpAdd && l.R.IsConst() && !r.IsConst() {
		return Add(Add(l.L, r), l.R)
	}
	// x - (x floordiv c) * c = x mod c
	if r.Op == OpMul && r.R.IsConst() && r.L.Op == OpFloorDiv && r.L.R.IsConst() && r.L.R.N == -r.R.N && r.L.R.N > 0 && Equal(l, r.L.L) {
		return Mod(l, r.L.R)
	}
	return raw(OpAdd, l, r)
}

// Sub is l - r.
func Sub(l, r *Expr) *Expr { return Add(l, Mul(r, Const(-1))) }

// term splits c * x.
func (e *Expr) term() (*Expr, int64) {
	if e.Op == OpMul && e.R.IsConst() {
		return e.L, e.R.N
	}
	return e, 1
}

func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && !(a == -1 && b == -1<<63) && !(b == -1 && a == -1<<63)
}

// Mul is l * r, of which one has no dimension.
func Mul(l, r *Expr) *Expr {
	if l.IsConst() && r.IsConst() {
		if n, ok := mulInt(l.N, r.N); ok {
			return Const(n)
		}
		return raw(OpMul, l, r)
	}
	if l.IsConst() || !r.Fixed() && l.Fixed() {
		return Mul(r, l)
	}
	if r.IsConst() {
		if r.N == 1 {
			return l
		}
		if r.N == 0 {
			return r
		}
	}
	if l.Op == OpMul && l.R.IsConst() {
		if r.IsConst() {
			if n, ok := mulInt(l.R.N, r.N); ok {
				return Mul(l.L, Const(n))
			}
		} else {
			return Mul(Mul(l.L, r), l.R)
		}
	}
	return raw(OpMul, l, r)
}

// divisor is the largest number known to divide an expression.
func (e *Expr) divisor() int64 {
	switch e.Op {
	case OpConst:
		return abs(e.N)
	case OpMul:
		if n, ok := mulInt(e.L.divisor(), e.R.divisor()); ok {
			return n
		}
	case OpAdd, OpMod:
		return gcd(e.L.divisor(), e.R.divisor())
	case OpFloorDiv, OpCeilDiv:
		if e.R.IsConst() && e.R.N > 0 && e.L.divisor()%e.R.N == 0 {
			return max(e.L.divisor()/e.R.N, 1)
		}
	}
	return 1
}

func abs(n int64) int64 {
	if n == -1<<63 {
		return 1
	}
	return max(n, -n)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Mod is l mod r.
func Mod(l, r *Expr) *Expr {
	if !r.IsConst() || r.N < 1 {
		return raw(OpMod, l, r)
	}
	c := r.N
	if l.IsConst() {
		_, m := floorDiv(l.N, c)
		return Const(m)
	}
	if l.divisor()%c == 0 {
		return Const(0)
	}
	if l.Op == OpAdd {
		if l.L.divisor()%c == 0 {
			return Mod(l.R, r)
		}
		if l.R.divisor()%c == 0 {
			return Mod(l.L, r)
		}
	}
	if l.Op == OpMod && l.R.IsConst() && l.R.N%c == 0 {
		return Mod(l.L, r)
	}
	return raw(OpMod, l, r)
}

// FloorDiv is l floordiv r.
func FloorDiv(l, r *Expr) *Expr { return div(OpFloorDiv, l, r) }

// CeilDiv is l ceildiv r.
func CeilDiv(l, r *Expr) *Expr { return div(OpCeilDiv, l, r) }

func div(op Op, l, r *Expr) *Expr {
	if !r.IsConst() || r.N < 1 {
		return raw(op, l, r)
	}
	c := r.N
	if l.IsConst() {
		q, m := floorDiv(l.N, c)
		if m > 0 && op == OpCeilDiv {
			q++
		}
		return Const(q)
	}
	if c == 1 {
		return l
	}
	if l.Op == OpMul && l.R.IsConst() && l.R.N%c == 0 {
		return Mul(l.L, Const(l.R.N/c))
	}
	if op == OpFloorDiv && l.Op == OpAdd && (l.L.divisor()%c == 0 || l.R.divisor()%c == 0) {
		return Add(div(op, l.L, r), div(op, l.R, r))
	}
	return raw(op, l, r)
}

// floorDiv is the quotient rounded down and what is left, 0 <= m < c.
func floorDiv(n, c int64) (q, m int64) {
	if q, m = n/c, n%c; m < 0 {
		q, m = q-1, m+c
	}
	return q, m
}
