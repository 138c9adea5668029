package golang

import (
	"fmt"
	"go/doc"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// identifier replaces what is not allowed in a name.
func identifier(s string) string {
	out := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, s)
	if first, _ := utf8.DecodeRuneInString(out); !unicode.IsLetter(first) {
		out = "f" + out
	}
	return out
}

// reserved are names that mean something to what is printed: packages, and functions that the
// language calls.
var reserved = map[string]bool{"math": true, "bits": true, "init": true, "main": true}

// local are the names of variables that functions have (see backends/source).
var local = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([ijkl]|[a-z]+[0-9]+(_[a-z]+[0-9]*)?)$`) })

// fresh is an identifier of the file for a symbol, as like it as can be: one that others may use
// begins with a capital.
func (e *emitter) fresh(symbol string, exported bool) string {
	name := identifier(symbol)
	first, size := utf8.DecodeRuneInString(name)
	if exported {
		name = string(unicode.ToUpper(first)) + name[size:]
	} else {
		name = string(unicode.ToLower(first)) + name[size:]
	}
	if token.IsKeyword(name) || doc.IsPredeclared(name) || reserved[name] || helpers[name] != "" || local().MatchString(name) {
		name += "_"
	}
	for base, n := name, 2; e.Taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	e.Taken[name] = true
	return name
}

// packageOf is the name of a package for what was read from a file.
func packageOf(file string) string {
	name := strings.ToLower(strings.ReplaceAll(identifier(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), "_", ""))
	if file == "" || file == "-" || token.IsKeyword(name) || doc.IsPredeclared(name) || reserved[name] {
		return "program"
	}
	return name
}

// IsPackage reports a name that a package may have.
func IsPackage(name string) bool { return token.IsIdentifier(name) && name != "_" }
