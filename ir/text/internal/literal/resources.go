package literal

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/internal/intern"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/unwind"
)

// Resources are data that attributes name, given at the end of a file:
//
//	{-#
//	  dialect_resources: { builtin: { key: "0x..." } }
//	#-}
//
// The data of dense_resource<key> belongs to the attribute, goes where it goes and is lost with it. Its List holds a
// string of the bytes (see intern.ResourcePrefix). An attribute of a dialect that is not known here may have the key of a
// resource of that dialect as a word of its text. That data belongs to it too: its List holds keys and data in turns.
// Resources of tools are kept with the graph of the file, as text.
type Resources struct {
	in    *scan.Reader
	ctx   *ir.Context
	blobs map[string]map[string]*resource // by dialect and key
	ahead bool                            // they were looked for ahead of their turn

	External string // those of tools

	defs *Definitions // how words are printed
}

// NoneAhead tells whether the source has none, so that nobody need look for them.
func (p *Resources) NoneAhead() {
	p.ahead = p.ahead || p.findMetadata(0) < 0
}

// Metadata reads {-# ... #-}.
func (p *Resources) Metadata() {
	at := p.in.Tok.Start
	p.in.Next()
	p.metaList(lex.MetaEnd, at, "in file metadata", func(key string, keyAt int) {
		switch key {
		case "dialect_resources":
			p.dialectResources()
		case "external_resources":
			p.toolResources()
		default:
			p.in.Errorf(keyAt, "unknown key '%s' in file metadata: known are dialect_resources and external_resources", scan.Short(key))
		}
	})
}

// metaList reads `key: value, ...` up to an end. at is where the list began.
func (p *Resources) metaList(end lex.Kind, at int, where string, value func(key string, keyAt int)) {
	for first := true; p.in.Tok.Kind != end; first = false {
		if !first {
			p.in.Expect(",")
		}
		keyAt, key := p.in.Tok.Start, ""
		switch p.in.Tok.Kind {
		case lex.Ident:
			key = p.in.Keyword()
		case lex.String:
			key = p.in.String()
		case lex.EOF:
			p.in.Fail(diag.Errorf(p.in.File.At(len(p.in.Src)-1), "file metadata does not end: expected '#-}'").
				WithNote(p.in.File.Span(at, at+1), "it begins here"))
		default:
			p.in.Errorf(keyAt, "expected a key %s, found %s", where, p.in.Found())
		}
		p.in.Expect(":")
		value(key, keyAt)
	}
	p.in.Next()
}

// dialectResources reads `{ dialect: { key: "0x...", ... }, ... }`.
func (p *Resources) dialectResources() {
	at := p.in.Tok.Start
	p.in.Expect("{")
	p.metaList('}', at, "for the owner of resources", func(owner string, ownerAt int) {
		at := p.in.Tok.Start
		p.in.Expect("{")
		p.metaList('}', at, "for a resource", func(key string, keyAt int) {
			if p.blobs[owner] == nil {
				if p.blobs == nil {
					p.blobs = map[string]map[string]*resource{}
				}
				p.blobs[owner] = map[string]*resource{}
			}
			p.blobs[owner][key] = p.blobData(owner, ownerAt, key, keyAt)
		})
	})
}

// A resource is data in hexadecimal at a place of the source; its bytes are made when an
// attribute asks for them.
type resource struct {
	at     int     // its place, by which it is known again when its turn comes
	digits string  // behind 0x
	data   ir.Attr // a string, or 0
	wrong  bool    // not all are digits
}

// blobData reads bytes in hexadecimal of which the first four are the alignment.
func (p *Resources) blobData(owner string, ownerAt int, key string, keyAt int) *resource {
	wrong := ""
	r, ok := &resource{at: p.in.Tok.Start}, false
	if p.in.Tok.Kind == lex.String {
		r.digits, ok = strings.CutPrefix(p.in.String(), "0x")
	} else {
		p.in.Errorf(keyAt, "expected the data of resource '%s' as a string \"0x...\", found %s", scan.Short(key), p.in.Found())
	}
	if had := p.blobs[owner][key]; had != nil && had.at == r.at {
		r = had // it was read ahead
	}
	switch {
	case !ok || len(r.digits)%2 != 0 || r.data == 0 && !number.IsHexText(r.digits):
		wrong = "is no string \"0x...\" of whole bytes"
	case len(r.digits) < 8:
		wrong = "lacks its first 4 bytes, which are its alignment"
	default:
		return r
	}
	if owner != "builtin" {
		p.in.Report(diag.Errorf(p.in.File.Span(ownerAt, ownerAt+len(owner)), "dialect '%s' is unknown: resources of it are kept if they are bytes, but '%s' is not", scan.Short(owner), scan.Short(key)))
	}
	p.in.Errorf(keyAt, "the data of resource '%s' %s", scan.Short(key), wrong)
	return nil
}

// reproducer is the tool whose resources are for one reading alone.
const reproducer = "mlir_reproducer"

// toolResources reads `{ tool: { key: value, ... }, ... }` and keeps it as text.
func (p *Resources) toolResources() {
	pr := p.defs.writer()
	at := p.in.Tok.Start
	p.in.Expect("{")
	p.metaList('}', at, "for the owner of resources", func(owner string, _ int) {
		at, begin := p.in.Tok.Start, len(pr.Buf)
		if begin > 0 {
			pr.Str(",\n")
		}
		pr.Str("    ")
		pr.keyword(owner)
		pr.Str(": {")
		p.in.Expect("{")
		sep := "\n      "
		p.metaList('}', at, "for a resource", func(key string, keyAt int) {
			pr.Str(sep)
			pr.keyword(key)
			pr.Str(": ")
			p.toolResource(pr, key, keyAt)
			sep = ",\n      "
		})
		pr.Str("\n    }")
		if owner == reproducer {
			pr.Buf = pr.Buf[:begin]
		}
	})
	if p.External != "" && len(pr.Buf) > 0 {
		p.External += ",\n"
	}
	p.External += string(pr.Buf)
}

// toolResource reads one value of a tool: a string or a boolean. Others have no meaning that could be kept.
func (p *Resources) toolResource(pr *Writer, key string, keyAt int) {
	switch {
	case p.in.Tok.Kind == lex.String:
		pr.Quoted(p.in.String())
	case p.in.Peek("true"), p.in.Peek("false"):
		pr.Str(p.in.Keyword())
	default:
		p.in.Errorf(keyAt, "expected the data of resource '%s' as a string or a boolean, found %s", scan.Short(key), p.in.Found())
	}
}

// blobsOf returns the data of the resources of a dialect, which stand behind their
// uses.
func (p *Resources) blobsOf(owner string) map[string]*resource {
	if p.in.Piece && !p.ahead {
		panic(scan.InOrder{}) // they would be read once for each
	}
	if !p.ahead {
		p.ahead = true
		for off := p.findMetadata(0); off >= 0; off = p.findMetadata(off + 3) {
			p.blobsAt(off)
		}
	}
	return p.blobs[owner]
}

// named lists the resources whose keys are words of an attribute of their dialect.
func (p *Resources) named(text string) (list []ir.Attr) {
	owner, _, _ := strings.Cut(text, ".")
	blobs := p.blobsOf(owner)
	if len(blobs) == 0 {
		return nil
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && !lex.IsSuffix(byte(r)) }) {
		if data, ok := blobs[w]; ok {
			if data := p.bytesOf(data); data != 0 {
				list = append(list, p.ctx.StringAttr(w), data)
			}
		}
	}
	return list
}

// headBytes is how many bytes stand before the elements of a resource: its alignment.
const headBytes = 4

// bytesOf is the data of a resource as a string, or 0 if it is wrong, which is said when its turn has come.
func (p *Resources) bytesOf(r *resource) ir.Attr {
	if r.data != 0 || r.wrong {
		return r.data
	}
	n := len(r.digits) / 2
	const align = 64 // of the elements, behind the head
	data := p.ctx.NewBlob(align + n)[align-headBytes : align-headBytes+n]
	if r.wrong = !number.DecodeHex(data, r.digits); r.wrong {
		return 0
	}
	r.data = p.ctx.StringAttr(intern.BlobString(data))
	return r.data
}

// findMetadata returns where a line begins with {-#, from an offset on, or -1.
func (p *Resources) findMetadata(from int) int {
	for {
		i := strings.Index(p.in.Src[from:], "{-#")
		if i < 0 {
			return -1
		}
		from += i
		if line := strings.LastIndexByte(p.in.Src[:from], '\n') + 1; strings.TrimSpace(p.in.Src[line:from]) == "" {
			return from
		}
		from += 3
	}
}

// blobsAt reads metadata ahead of its turn. What is wrong with it is said when its
// turn has come.
func (p *Resources) blobsAt(off int) {
	tok, prev, errs, external, depth := p.in.Tok, p.in.Prev, p.in.Errs, p.External, p.in.Depth
	p.in.Errs = nil
	p.in.Reset(off)
	unwind.Catch[scan.GivingUp](p.Metadata)
	p.in.Tok, p.in.Prev, p.in.Errs, p.External, p.in.Depth = tok, prev, errs, external, depth
}
