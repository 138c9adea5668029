package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/irc-lang/irc/tests/layers"
)

// A kind is what a name of the surface counts as.
type kind int

const (
	name    kind = iota // a type, function, constant, variable, method or field
	op                  // a definition of an op
	builder             // a function that builds ops: its first parameter is a Builder or a Mirror
)

// A line is one name that a package exports, as it stands in its file of the surface.
type line struct {
	text string
	kind kind
}

// load reads the export data of packages: their types, as the compiler sees them.
func load(root string, paths []string) (map[string]*types.Package, error) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export"}
	for _, p := range paths {
		args = append(args, layers.Module+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	found := map[string]*types.Package{}
	for _, p := range paths {
		pkg, err := imp.Import(layers.Module + p)
		if err != nil {
			return nil, err
		}
		found[p] = pkg
	}
	return found, nil
}

// surface lists what a package exports, sorted: its names, and the methods and fields of its types,
// those of embedded types too where they have no names of their own.
func surface(p *types.Package) (out []line) {
	q := func(other *types.Package) string {
		if other == p {
			return ""
		}
		return other.Name()
	}
	for _, n := range p.Scope().Names() {
		o := p.Scope().Lookup(n)
		if !o.Exported() {
			continue
		}
		t, isType := o.(*types.TypeName)
		if !isType {
			out = append(out, line{types.ObjectString(o, q), kindOf(o)})
			continue
		}
		out = append(out, line{typeLine(t, q), name})
		out = append(out, fields(n, t.Type(), q)...)
		out = append(out, methods(n, t.Type(), q)...)
	}
	slices.SortFunc(out, func(a, b line) int { return strings.Compare(a.text, b.text) })
	return out
}

// typeLine names a type and its underlying one, of a struct and an interface the kind alone: what
// they have stands in lines of its own.
func typeLine(t *types.TypeName, q types.Qualifier) string {
	if t.IsAlias() {
		return "type " + t.Name() + " = " + types.TypeString(types.Unalias(t.Type()), q)
	}
	named := types.TypeString(t.Type(), q)
	switch u := t.Type().Underlying().(type) {
	case *types.Struct:
		return "type " + named + " struct"
	case *types.Interface:
		return "type " + named + " interface"
	default:
		return "type " + named + " " + types.TypeString(u, q)
	}
}

func fields(n string, t types.Type, q types.Qualifier) (out []line) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() {
				out = append(out, line{"field " + n + "." + f.Name() + " " + types.TypeString(f.Type(), q), name})
			}
		}
	case *types.Interface:
		for m := range u.Methods() {
			if m.Exported() {
				out = append(out, line{"method " + n + "." + m.Name() + signature(m, q), name})
			}
		}
	}
	return out
}

func methods(n string, t types.Type, q types.Qualifier) (out []line) {
	if types.IsInterface(t) {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(t))
	for m := range set.Methods() {
		if m.Obj().Exported() && len(m.Index()) == 1 {
			out = append(out, line{"method " + n + "." + m.Obj().Name() + signature(m.Obj(), q), name})
		}
	}
	return out
}

func signature(o types.Object, q types.Qualifier) string {
	return strings.TrimPrefix(types.TypeString(o.Type(), q), "func")
}

func kindOf(o types.Object) kind {
	is := func(t types.Type, names ...string) bool {
		p, ok := t.(*types.Pointer)
		if !ok {
			return false
		}
		n, ok := p.Elem().(*types.Named)
		return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == layers.Module+"ir" && slices.Contains(names, n.Obj().Name())
	}
	switch o := o.(type) {
	case *types.Var:
		if is(o.Type(), "OpDef") {
			return op
		}
	case *types.Func:
		if ps := o.Signature().Params(); ps.Len() > 0 && is(ps.At(0).Type(), "Builder", "Mirror") {
			return builder
		}
	}
	return name
}
