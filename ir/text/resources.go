package text

import (
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/number"
	"github.com/irc-lang/irc/ir/unwind"
)

// Resources are data that attributes name, given at the end of a file:
//
//	{-#
//	  dialect_resources: { builtin: { key: "0x..." } }
//	#-}
//
// The data of dense_resource<key> belongs to the attribute (its List holds a string of
// the bytes, see ir.ResourcePrefix), so that it goes where the attribute goes and is lost with it. So does
// that of an attribute of a dialect that is not known here whose text has the key
// of a resource of that dialect as a word; its List holds keys and data in turns.
// Resources of tools are kept with the graph of the file, as text.

// metadata reads {-# ... #-}.
func (p *Parser) metadata() {
	at := p.in.Tok.Start
	p.in.Next()
	p.metaList(lex.MetaEnd, at, "in file metadata", func(key string, keyAt int) {
		switch key {
		case "dialect_resources":
			p.dialectResources()
		case "external_resources":
			p.toolResources()
		default:
			p.Errorf(keyAt, "unknown key '%s' in file metadata: known are dialect_resources and external_resources", short(key))
		}
	})
}

// metaList reads `key: value, ...` up to an end. at is where the list began.
func (p *Parser) metaList(end lex.Kind, at int, where string, value func(key string, keyAt int)) {
	for first := true; p.in.Tok.Kind != end; first = false {
		if !first {
			p.Expect(",")
		}
		keyAt, key := p.in.Tok.Start, ""
		switch p.in.Tok.Kind {
		case lex.Ident:
			key = p.Keyword()
		case lex.String:
			key = p.String()
		case lex.EOF:
			p.Fail(diag.Errorf(p.file.At(len(p.in.Src)-1), "file metadata does not end: expected '#-}'").
				WithNote(p.file.Span(at, at+1), "it begins here"))
		default:
			p.Errorf(keyAt, "expected a key %s, found %s", where, p.found())
		}
		p.Expect(":")
		value(key, keyAt)
	}
	p.in.Next()
}

// dialectResources reads `{ dialect: { key: "0x...", ... }, ... }`.
func (p *Parser) dialectResources() {
	at := p.in.Tok.Start
	p.Expect("{")
	p.metaList('}', at, "for the owner of resources", func(owner string, ownerAt int) {
		at := p.in.Tok.Start
		p.Expect("{")
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
	at     int
	digits string
	data   ir.Attr // a string, or 0
	wrong  bool    // not all are digits
}

// blobData reads bytes in hexadecimal of which the first four are the alignment.
func (p *Parser) blobData(owner string, ownerAt int, key string, keyAt int) *resource {
	wrong := ""
	r, ok := &resource{at: p.in.Tok.Start}, false
	if p.in.Tok.Kind == lex.String {
		r.digits, ok = strings.CutPrefix(p.String(), "0x")
	} else {
		p.Errorf(keyAt, "expected the data of resource '%s' as a string \"0x...\", found %s", short(key), p.found())
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
		p.report(diag.Errorf(p.file.Span(ownerAt, ownerAt+len(owner)), "dialect '%s' is unknown: resources of it are kept if they are bytes, but '%s' is not", short(owner), short(key)))
	}
	p.Errorf(keyAt, "the data of resource '%s' %s", short(key), wrong)
	return nil
}

// reproducer is the tool whose resources are for one reading alone.
const reproducer = "mlir_reproducer"

// toolResources reads `{ tool: { key: value, ... }, ... }` and keeps it as text.
func (p *Parser) toolResources() {
	pr := newTextPrinter(p.ctx)
	at := p.in.Tok.Start
	p.Expect("{")
	p.metaList('}', at, "for the owner of resources", func(owner string, _ int) {
		at, begin := p.in.Tok.Start, len(pr.buf)
		if begin > 0 {
			pr.Str(",\n")
		}
		pr.Str("    ")
		pr.keyword(owner)
		pr.Str(": {")
		p.Expect("{")
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
			pr.buf = pr.buf[:begin]
		}
	})
	if p.external != "" && len(pr.buf) > 0 {
		p.external += ",\n"
	}
	p.external += string(pr.buf)
}

func (p *Parser) toolResource(pr *Printer, key string, keyAt int) {
	switch {
	case p.in.Tok.Kind == lex.String:
		pr.Quoted(p.String())
	case p.Peek("true"), p.Peek("false"):
		pr.Str(p.Keyword())
	default:
		p.Errorf(keyAt, "expected the data of resource '%s' as a string or a boolean, found %s", short(key), p.found())
	}
}

// blobsOf returns the data of the resources of a dialect, which stand behind their
// uses.
func (p *Parser) blobsOf(owner string) map[string]*resource {
	if p.sub && !p.ahead {
		panic(inOrder{}) // they would be read once for each
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
func (p *Parser) named(text string) (list []ir.Attr) {
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
func (p *Parser) bytesOf(r *resource) ir.Attr {
	if r.data != 0 || r.wrong {
		return r.data
	}
	n := len(r.digits) / 2
	const align = 64 // of the elements, behind the head
	data := p.ctx.NewBlob(align + n)[align-headBytes : align-headBytes+n]
	if r.wrong = !number.DecodeHex(data, r.digits); r.wrong {
		return 0
	}
	r.data = p.ctx.StringAttr(ir.BlobString(data))
	return r.data
}

// findMetadata returns where a line begins with {-#, from an offset on, or -1.
func (p *Parser) findMetadata(from int) int {
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
func (p *Parser) blobsAt(off int) {
	tok, prev, errs, external, depth := p.in.Tok, p.in.Prev, p.errs, p.external, p.depth
	p.errs = nil
	p.in.Reset(off)
	unwind.Catch[givingUp](p.metadata)
	p.in.Tok, p.in.Prev, p.errs, p.external, p.depth = tok, prev, errs, external, depth
}

// resourceAttr reads dense_resource<key> : type.
func (p *Parser) resourceAttr(want ir.Type) ir.Attr {
	p.in.Next()
	p.Expect("<")
	key := ""
	if p.in.Tok.Kind == lex.String {
		key = p.String()
	} else {
		key = p.Keyword()
	}
	p.Expect(">")
	t, at := want, p.in.Tok.Start
	if want == ir.NoType || p.in.Tok.Kind == ':' {
		p.Expect(":")
		at = p.in.Tok.Start
		t = p.Type()
	}
	switch p.ctx.Info(t).Kind {
	case ir.KindTensor, ir.KindVector, ir.KindMemRef, ir.KindOpaque:
	default:
		p.Errorf(at, "a dense_resource has a shaped type, not %s", p.show(t))
	}
	pr := newTextPrinter(p.ctx)
	pr.keyword(key)
	info := ir.AttrInfo{Kind: ir.AttrOther, Type: t, Str: "dense_resource<" + string(pr.buf) + ">"}
	if r := p.blobsOf("builtin")[key]; r != nil {
		if data := p.bytesOf(r); data != 0 {
			info.List = []ir.Attr{data}
		}
	}
	return p.ctx.Attr(info)
}

// keyword prints a word, in quotes if it is none.
func (p *Printer) keyword(s string) {
	if isBare(s) {
		p.Str(s)
	} else {
		p.Quoted(s)
	}
}

// keepBlobs notes the data of an attribute that is being printed.
func (p *Printer) keepBlobs(info *ir.AttrInfo) {
	if len(info.List) == 0 || p.types == nil { // a print of an attribute alone has no end of file
		return
	}
	if key, ok := strings.CutPrefix(strings.TrimSuffix(info.Str, ">"), ir.ResourcePrefix); ok {
		p.keepBlob("builtin", key, info.List[0])
	}
	if info.Kind == ir.AttrOther {
		return
	}
	owner, _, _ := strings.Cut(info.Str, ".")
	for i := 0; i+1 < len(info.List); i += 2 {
		key := newTextPrinter(p.ctx)
		key.keyword(p.ctx.AttrInfo(info.List[i]).Str)
		p.keepBlob(owner, string(key.buf), info.List[i+1])
	}
}

func (p *Printer) keepBlob(owner, key string, data ir.Attr) {
	if p.blobs == nil {
		p.blobs = map[string]map[string]string{}
	}
	if p.blobs[owner] == nil {
		p.blobs[owner] = map[string]string{}
	}
	p.blobs[owner][key] = p.ctx.AttrInfo(data).Str
}

// resources prints the data that was noted, and what is kept with the file.
func (p *Printer) resources(external string) {
	if len(p.blobs) == 0 && external == "" {
		return
	}
	p.Str("\n{-#\n")
	sep := "  dialect_resources: {\n"
	for _, owner := range slices.Sorted(maps.Keys(p.blobs)) {
		p.Str(sep, "    ", owner, ": {")
		next := "\n      "
		for _, k := range slices.Sorted(maps.Keys(p.blobs[owner])) {
			p.Str(next, k, ": ")
			p.hexadecimal(p.blobs[owner][k])
			next = ",\n      "
		}
		p.Str("\n    }")
		sep = ",\n"
	}
	if len(p.blobs) > 0 {
		p.Str("\n  }")
	}
	if external != "" {
		if len(p.blobs) > 0 {
			p.Str(",\n")
		}
		p.Str("  external_resources: {\n", external, "\n  }")
	}
	p.Str("\n#-}\n")
}
