package text

import "github.com/irc-lang/irc/ir"

// TypeString returns the text of a type; of an op's results, in parentheses if
// they are not exactly one.
func TypeString(c *ir.Context, t ir.Type) string {
	p := newTextPrinter(c)
	p.Type(t)
	return string(p.buf)
}

// Type prints a type.
func (p *Printer) Type(t ir.Type) {
	if int(t) < len(p.types) && p.types[t] != "" {
		p.Str(p.types[t])
		return
	}
	start := len(p.buf)
	p.typ(p.ctx.Info(t), t)
	if p.types != nil {
		for int(t) >= len(p.types) {
			p.types = append(p.types, "")
		}
		p.types[t] = string(p.buf[start:])
	}
}

func (p *Printer) typ(info *ir.TypeInfo, t ir.Type) {
	switch info.Kind {
	case ir.KindMulti:
		p.byte('(')
		p.Types(info.Types)
		p.byte(')')
	case ir.KindNone:
		p.Str("none")
	case ir.KindIndex:
		p.Str("index")
	case ir.KindInteger:
		p.Str([...]string{"i", "si", "ui"}[info.Sign])
		p.Int(int64(info.Width))
	case ir.KindFloat:
		p.Str(info.Text)
	case ir.KindComplex:
		p.Str("complex<")
		p.Type(info.Elem)
		p.byte('>')
	case ir.KindTuple:
		p.Str("tuple<")
		p.Types(info.Types)
		p.byte('>')
	case ir.KindFunction:
		p.FunctionType(info.Types[:info.NumIn], info.Types[info.NumIn:])
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		p.shaped(info)
	case ir.KindOpaque:
		p.byte('!')
		p.Str(info.Text)
		if info.Def != nil {
			p.defined(info.Def, info.Params)
		}
	default:
		p.Str("<invalid type>")
	}
}

func (p *Printer) shaped(info *ir.TypeInfo) {
	p.Str([...]string{"vector<", "tensor<", "memref<"}[info.Kind-ir.KindVector])
	if info.Unranked {
		p.Str("*x")
	}
	for i, n := range info.Shape {
		scales := info.Scalable != nil && info.Scalable[i]
		if scales {
			p.byte('[')
		}
		p.extent(n)
		if scales {
			p.byte(']')
		}
		p.byte('x')
	}
	p.Type(info.Elem)
	if info.Layout != 0 {
		p.Str(", ")
		p.Attr(info.Layout)
	}
	if info.Space != 0 {
		p.Str(", ")
		p.elided(info.Space)
	}
	p.byte('>')
}

func (p *Printer) extent(n int64) {
	if n == ir.Dynamic {
		p.byte('?')
	} else {
		p.Int(n)
	}
}

// Types prints types separated by commas.
func (p *Printer) Types(ts []ir.Type) {
	for i, t := range ts {
		if i > 0 {
			p.Str(", ")
		}
		p.Type(t)
	}
}

// FunctionType prints `(t, ...) -> t`.
func (p *Printer) FunctionType(in, out []ir.Type) {
	p.byte('(')
	p.Types(in)
	p.Str(") -> ")
	p.results(out)
}

// results prints what follows an arrow.
func (p *Printer) results(out []ir.Type) {
	if len(out) == 1 && p.ctx.Info(out[0]).Kind != ir.KindFunction {
		p.Type(out[0])
		return
	}
	p.byte('(')
	p.Types(out)
	p.byte(')')
}

// ArrowTypes prints ` -> t`, or nothing for none.
func (p *Printer) ArrowTypes(out []ir.Type) {
	if len(out) > 0 {
		p.Str(" -> ")
		p.results(out)
	}
}
