package tests

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

const (
	mostFields  = 20
	mostMethods = 60
)

// A bigType has more fields or methods than others may. Its row may only shrink.
type bigType struct {
	fields, methods int // 0: no more than mostFields and mostMethods
	why             string
}

var bigTypes = map[string]bigType{
	"backends/cuda.capi":           {28, 0, "a row for each function of a C library"},
	"backends/jit.capi":            {61, 0, "a row for each function of a C library"},
	"backends/source.Emitters":     {23, 0, "a row for each kind of op of a language"},
	"dialects/bugs/syntax.parser":  {0, 72, "a method for each production of the grammar"},
	"dialects/poly/presburger.Set": {0, 67, "the operations of a set, each of which outsiders call"},
	"dialects/prob/family.Law":     {26, 0, "the row of a law in a table"},
	"ir.Context":                   {0, 88, "the questions to a context, each of which outsiders ask of one of its tables"},
	"ir.Graph":                     {0, 79, "the questions to a graph, each of which outsiders ask"},
	"ir.OpDef":                     {22, 0, "the row of an op in a table"},
	"lowering/libm.env":            {0, 126, "a method for each function of C's library, and for what these are made of"},
}

// A type is small enough to be read as one thing: what is larger is several, each with its own methods.
func TestTypesAreSmall(t *testing.T) {
	fields, methods := map[string]int{}, map[string]int{}
	eachFile(t, func(f file, _ *token.FileSet, tree *ast.File) {
		if strings.HasPrefix(f.pkg, "tests") || strings.HasPrefix(f.pkg, "examples") || f.pkg == "ir/irtest" {
			return
		}
		for _, d := range tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[f.pkg+"."+receiver(fn.Recv.List[0].Type)]++
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				fields[f.pkg+"."+spec.Name.Name] = s.Fields.NumFields()
			}
			return true
		})
	})
	check := func(counts map[string]int, most int, of func(bigType) int, what string) {
		for name, n := range counts {
			if may := max(of(bigTypes[name]), most); n > may {
				t.Errorf("%s has %d %s, more than %d", name, n, what, may)
			}
		}
		for name, x := range bigTypes {
			if may := of(x); may > 0 && counts[name] < may {
				t.Errorf("%s has %d %s now: its row says %d, and may shrink", name, counts[name], what, may)
			}
		}
	}
	check(fields, mostFields, func(x bigType) int { return x.fields }, "fields")
	check(methods, mostMethods, func(x bigType) int { return x.methods }, "methods")
}

// receiver is the name of the type that a method is of.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
