package text

import (
	"sort"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Resources are data that attributes name, given at the end of a file:
//
//	{-#
//	  dialect_resources: { builtin: { key: "0x..." } }
//	#-}
//
// The data of dense_resource<key> belongs to the attribute (its List holds the
// string), so that it goes where the attribute goes and is lost with it. Those of
// other dialects and of tools are read, but not kept.

// metadata reads {-# ... #-}.
func (p *Parser) metadata() {
	at := p.tok.start
	p.next()
	p.metaList(tMetaEnd, at, "in file metadata", func(key string, keyAt int) {
		switch key {
		case "dialect_resources":
			p.resourceGroups(true)
		case "external_resources":
			p.dropResources()
			p.resourceGroups(false)
		default:
			p.Errorf(keyAt, "unknown key '%s' in file metadata: known are dialect_resources and external_resources", short(key))
		}
	})
}

// metaList reads `key: value, ...` up to an end. at is where the list began.
func (p *Parser) metaList(end kind, at int, where string, value func(key string, keyAt int)) {
	for first := true; p.tok.kind != end; first = false {
		if !first {
			p.Expect(",")
		}
		keyAt, key := p.tok.start, ""
		switch p.tok.kind {
		case tIdent:
			key = p.Keyword()
		case tString:
			key = p.String()
		case tEOF:
			p.Errorf(at, "file metadata does not end: expected '#-}'")
		default:
			p.Errorf(keyAt, "expected a key %s, found %s", where, p.found())
		}
		p.Expect(":")
		value(key, keyAt)
	}
	p.next()
}

// resourceGroups reads `{ owner: { key: value, ... }, ... }`.
func (p *Parser) resourceGroups(dialects bool) {
	at := p.tok.start
	p.Expect("{")
	p.metaList('}', at, "for the owner of resources", func(owner string, _ int) {
		if dialects && owner != "builtin" {
			p.dropResources()
		}
		at := p.tok.start
		p.Expect("{")
		p.metaList('}', at, "for a resource", func(key string, keyAt int) {
			p.resource(key, keyAt, dialects, dialects && owner == "builtin")
		})
	})
}

// resource reads the value of one resource: of a dialect, bytes in hexadecimal of
// which the first four are the alignment.
func (p *Parser) resource(key string, keyAt int, blob, keep bool) {
	if !blob && (p.Optional("true") || p.Optional("false")) {
		return
	}
	if p.tok.kind != tString {
		p.Errorf(keyAt, "expected the data of resource '%s' as a string \"0x...\", found %s", short(key), p.found())
	}
	data := p.String()
	if !blob {
		return
	}
	if hex, ok := strings.CutPrefix(data, "0x"); !ok || len(hex)%2 != 0 || strings.Trim(hex, "0123456789abcdefABCDEF") != "" {
		p.Errorf(keyAt, "expected the data of resource '%s' as a string \"0x...\" of whole bytes", short(key))
	}
	if len(data) < 2+8 {
		p.Errorf(keyAt, "the first 4 bytes of resource '%s' are its alignment", short(key))
	}
	if keep {
		if p.blobs == nil {
			p.blobs = map[string]string{}
		}
		p.blobs[key] = data
	}
}

func (p *Parser) dropResources() {
	if !p.warned {
		p.warned = true
		p.errs = append(p.errs, diag.Warningf(p.here(), "data of resources of other dialects and of tools is not kept; only their names are"))
	}
}

// blob returns the data of a resource of builtin, which stands behind its use, or "".
func (p *Parser) blob(key string) string {
	if !p.ahead {
		p.ahead = true
		for off := p.findMetadata(0); off >= 0; off = p.findMetadata(off + 3) {
			p.blobsAt(off)
		}
	}
	return p.blobs[key]
}

// findMetadata returns where a line begins with {-#, from an offset on, or -1.
func (p *Parser) findMetadata(from int) int {
	for {
		i := strings.Index(p.src[from:], "{-#")
		if i < 0 {
			return -1
		}
		from += i
		if line := strings.LastIndexByte(p.src[:from], '\n') + 1; strings.TrimSpace(p.src[line:from]) == "" {
			return from
		}
		from += 3
	}
}

// blobsAt reads metadata ahead of its turn. What is wrong with it is said when its
// turn has come.
func (p *Parser) blobsAt(off int) {
	tok, prev, errs, warned, depth := p.tok, p.prev, p.errs, p.warned, p.depth
	defer func() {
		r := recover()
		p.tok, p.prev, p.errs, p.warned, p.depth = tok, prev, errs, warned, depth
		switch r.(type) {
		case nil, bail, abort:
		default:
			panic(r)
		}
	}()
	p.errs = nil
	p.reset(off)
	p.metadata()
}

// resourceAttr reads dense_resource<key> : type.
func (p *Parser) resourceAttr(want ir.Type) ir.Attr {
	p.next()
	p.Expect("<")
	key := ""
	if p.tok.kind == tString {
		key = p.String()
	} else {
		key = p.Keyword()
	}
	p.Expect(">")
	t, at := want, p.tok.start
	if want == ir.NoType || p.tok.kind == ':' {
		p.Expect(":")
		at = p.tok.start
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
	if data := p.blob(key); data != "" {
		info.List = []ir.Attr{p.ctx.StringAttr(data)}
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

// keepBlob notes the data of an attribute that is being printed.
func (p *Printer) keepBlob(info *ir.AttrInfo) {
	key, ok := strings.CutPrefix(strings.TrimSuffix(info.Str, ">"), "dense_resource<")
	if !ok || len(info.List) == 0 || p.types == nil { // a print of an attribute alone has no end of file
		return
	}
	if p.blobs == nil {
		p.blobs = map[string]string{}
	}
	p.blobs[key] = p.ctx.AttrInfo(info.List[0]).Str
}

// resources prints the data that was noted.
func (p *Printer) resources() {
	if len(p.blobs) == 0 {
		return
	}
	keys := make([]string, 0, len(p.blobs))
	for k := range p.blobs {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	p.Str("\n{-#\n  dialect_resources: {\n    builtin: {\n")
	for i, k := range keys {
		if i > 0 {
			p.Str(",\n")
		}
		p.Str("      ", k, ": ")
		p.Quoted(p.blobs[k])
	}
	p.Str("\n    }\n  }\n#-}\n")
}
