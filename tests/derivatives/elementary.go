package derivatives

// Functions of a number between -1 and 1, and of one above 1/2.
var (
	ofAll = []string{"math.atan", "math.erf", "math.asinh", "math.sinh", "math.cosh", "math.tan", "math.exp2", "math.expm1", "math.floor",
		"special.erfc", "special.phi", "special.log_phi", "special.icloglog"}
	ofPositive = []string{"math.log", "math.log2", "math.log10", "math.log1p", "math.sqrt", "math.rsqrt", "math.cbrt", "special.lgamma"}
)

func (p *program) one(of []string) string { return of[p.IntN(len(of))] }

// positive is a number above 1/2.
func (p *program) positive(x string) string {
	q, one := p.name(), p.name()
	p.line("  %s = arith.mulf %s, %s : f64", q, x, x)
	p.line("  %s = arith.addf %s, %%half : f64", one, q)
	return one
}

// elementary gives v a function of one number or of two.
func (p *program) elementary(v, x, y string) {
	w, z := p.name(), p.name()
	switch p.IntN(6) {
	case 0, 1:
		p.line("  %s = math.sin %s : f64", w, x)
		p.line("  %s = %s %s : f64", v, p.one(ofAll), w)
	case 2, 3:
		p.line("  %s = %s %s : f64", v, p.one(ofPositive), p.positive(x))
	default:
		p.line("  %s = math.sin %s : f64", w, y)
		q := p.positive(x)
		switch p.IntN(4) {
		case 0:
			p.line("  %s = math.atan2 %s, %s : f64", v, w, q)
		case 1:
			p.line("  %s = math.powf %s, %s : f64", z, q, w)
			p.line("  %s = math.sin %s : f64", v, z)
		case 2:
			p.line("  %s = special.xlogy %s, %s : f64", z, w, q)
			p.line("  %s = math.sin %s : f64", v, z)
		default:
			p.line("  %s = math.copysign %s, %s : f64", v, q, w)
		}
	}
}

// guarded computes what has no derivative, or none that is finite, where an arm is not taken. Where it is taken no root or logarithm is of 0:
// a 0 that nothing changes has the slope 0, but by the formula infinity times 0.
func (p *program) guarded() {
	x, c, m := p.float(), p.name(), p.name()
	p.line("  %s = arith.cmpf ogt, %s, %%zero : f64", c, x)
	p.line("  %s = arith.maximumf %s, %%zero : f64", m, x)
	for range 1 + p.IntN(3) {
		w := p.name()
		switch p.IntN(4) {
		case 0:
			p.line("  %s = math.sqrt %s : f64", w, m)
		case 1:
			p.line("  %s = math.log %s : f64", w, m)
		case 2:
			p.line("  %s = arith.divf %s, %s : f64", w, p.positive(p.float()), m)
		default:
			p.line("  %s = arith.mulf %s, %s : f64", w, m, p.positive(p.float()))
		}
		b := p.name() // what follows is of a small number, too, where the arm is taken
		p.line("  %s = math.sin %s : f64", b, w)
		m = p.name()
		p.line("  %s = math.absf %s : f64", m, b)
	}
	if p.IntN(3) == 0 {
		i, s, sum := p.name(), p.name(), p.name()
		l := p.name()
		p.line("  %s = scf.for %s = %%c0 to %%c%d step %%c1 iter_args(%s = %s) -> (f64) {", l, i, p.IntN(3), s, p.float())
		p.line("    %s = arith.mulf %s, %s : f64", sum, s, m)
		p.line("    scf.yield %s : f64", sum)
		p.line("  }")
		m = l
	}
	v := p.name()
	if p.IntN(2) == 0 {
		p.line("  %s = arith.select %s, %s, %s : f64", v, c, m, p.float())
	} else {
		p.line("  %s = scf.if %s -> (f64) {", v, c)
		p.line("    scf.yield %s : f64", m)
		p.line("  } else {")
		p.line("    scf.yield %s : f64", p.float())
		p.line("  }")
	}
	p.floats = append(p.floats, v)
}
