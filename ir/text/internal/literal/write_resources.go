package literal

import (
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/internal/intern"
)

// hexadecimal prints bytes as a string "0x...".
func (w *Writer) hexadecimal(data string) {
	const digits = "0123456789ABCDEF"
	w.Str(`"0x`)
	for i := range len(data) {
		w.Buf = append(w.Buf, digits[data[i]>>4], digits[data[i]&15])
	}
	w.Byte('"')
}

// keepBlobs notes the data of an attribute that is being printed.
func (w *Writer) keepBlobs(info *ir.AttrInfo) {
	if len(info.List) == 0 || w.types == nil { // a print of an attribute alone has no end of file
		return
	}
	if key, ok := strings.CutPrefix(strings.TrimSuffix(info.Str, ">"), intern.ResourcePrefix); ok {
		w.keepBlob("builtin", key, info.List[0])
	}
	if info.Kind == ir.AttrOther {
		return
	}
	owner, _, _ := strings.Cut(info.Str, ".")
	for i := 0; i+1 < len(info.List); i += 2 {
		key := NewWriter(w.ctx, w.formats)
		key.keyword(w.ctx.AttrInfo(info.List[i]).Str)
		w.keepBlob(owner, string(key.Buf), info.List[i+1])
	}
}

// keepBlob notes the data of one key, once for all attributes that name it.
func (w *Writer) keepBlob(owner, key string, data ir.Attr) {
	if w.blobs == nil {
		w.blobs = map[string]map[string]string{}
	}
	if w.blobs[owner] == nil {
		w.blobs[owner] = map[string]string{}
	}
	w.blobs[owner][key] = w.ctx.AttrInfo(data).Str
}

// Resources prints the data that was noted, and what is kept with the file.
func (w *Writer) Resources(external string) {
	if len(w.blobs) == 0 && external == "" {
		return
	}
	w.Str("\n{-#\n")
	sep := "  dialect_resources: {\n"
	for _, owner := range slices.Sorted(maps.Keys(w.blobs)) {
		w.Str(sep, "    ", owner, ": {")
		next := "\n      "
		for _, k := range slices.Sorted(maps.Keys(w.blobs[owner])) {
			w.Str(next, k, ": ")
			w.hexadecimal(w.blobs[owner][k])
			next = ",\n      "
		}
		w.Str("\n    }")
		sep = ",\n"
	}
	if len(w.blobs) > 0 {
		w.Str("\n  }")
	}
	if external != "" {
		if len(w.blobs) > 0 {
			w.Str(",\n")
		}
		w.Str("  external_resources: {\n", external, "\n  }")
	}
	w.Str("\n#-}\n")
}
