package literal

import "github.com/irc-lang/irc/ir"

// Type prints a type.
func (w *Writer) Type(t ir.Type) {
	if int(t) < len(w.types) && w.types[t] != "" {
		w.Str(w.types[t])
		return
	}
	start := len(w.Buf)
	w.typ(w.ctx.Info(t), t)
	if w.types != nil {
		for int(t) >= len(w.types) {
			w.types = append(w.types, "")
		}
		w.types[t] = string(w.Buf[start:])
	}
}

// typ prints a type that was not printed before.
func (w *Writer) typ(info *ir.TypeInfo, t ir.Type) {
	switch info.Kind {
	case ir.KindMulti:
		w.Byte('(')
		w.Types(info.Types)
		w.Byte(')')
	case ir.KindNone:
		w.Str("none")
	case ir.KindIndex:
		w.Str("index")
	case ir.KindInteger:
		w.Str([...]string{"i", "si", "ui"}[info.Sign])
		w.Int(int64(info.Width))
	case ir.KindFloat:
		w.Str(info.Text)
	case ir.KindComplex:
		w.Str("complex<")
		w.Type(info.Elem)
		w.Byte('>')
	case ir.KindTuple:
		w.Str("tuple<")
		w.Types(info.Types)
		w.Byte('>')
	case ir.KindFunction:
		w.FunctionType(info.Types[:info.NumIn], info.Types[info.NumIn:])
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		w.shaped(info)
	case ir.KindOpaque:
		w.Byte('!')
		w.Str(info.Text)
		if info.Def != nil {
			w.formats.Write(w, info.Def, info.Params)
		}
	default:
		w.Str("<invalid type>")
	}
}

// shaped prints a vector, a tensor or a memref.
func (w *Writer) shaped(info *ir.TypeInfo) {
	w.Str([...]string{"vector<", "tensor<", "memref<"}[info.Kind-ir.KindVector])
	if info.Unranked {
		w.Str("*x")
	}
	for i, n := range info.Shape {
		scales := info.Scalable != nil && info.Scalable[i]
		if scales {
			w.Byte('[')
		}
		w.Extent(n)
		if scales {
			w.Byte(']')
		}
		w.Byte('x')
	}
	w.Type(info.Elem)
	if info.Layout != 0 {
		w.Str(", ")
		w.Attr(info.Layout)
	}
	if info.Space != 0 {
		w.Str(", ")
		w.elided(info.Space)
	}
	w.Byte('>')
}

// Extent prints a size, `?` if it is not known.
func (w *Writer) Extent(n int64) {
	if n == ir.Dynamic {
		w.Byte('?')
	} else {
		w.Int(n)
	}
}

// Types prints types separated by commas.
func (w *Writer) Types(ts []ir.Type) {
	for i, t := range ts {
		if i > 0 {
			w.Str(", ")
		}
		w.Type(t)
	}
}

// FunctionType prints `(t, ...) -> t`.
func (w *Writer) FunctionType(in, out []ir.Type) {
	w.Byte('(')
	w.Types(in)
	w.Str(") -> ")
	w.Results(out)
}

// Results prints what follows an arrow.
func (w *Writer) Results(out []ir.Type) {
	if len(out) == 1 && w.ctx.Info(out[0]).Kind != ir.KindFunction {
		w.Type(out[0])
		return
	}
	w.Byte('(')
	w.Types(out)
	w.Byte(')')
}

// ArrowTypes prints ` -> t`, or nothing for none.
func (w *Writer) ArrowTypes(out []ir.Type) {
	if len(out) > 0 {
		w.Str(" -> ")
		w.Results(out)
	}
}
