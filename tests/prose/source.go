package prose

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Text is prose of a Go file.
type Text struct {
	Of   string // what it describes
	Kind Kind
	Line int
	Text string
}

// Kind says where a text stands.
type Kind int

// Where a text stands.
const (
	PackageDoc  Kind = iota // before a package clause
	ExportedDoc             // before an exported name
	Help                    // what a user reads on the screen, or in what is generated from it
)

// helpFields are the fields of rows and definitions whose text users read.
var helpFields = map[string]bool{"Doc": true, "Usage": true, "Why": true, "How": true, "Fix": true, "Note": true,
	"Reason": true, "Long": true, "Rule": true}

// Texts lists the prose of a Go file.
func Texts(fset *token.FileSet, file *ast.File) []Text {
	c := collector{fset: fset}
	c.comment(PackageDoc, file.Name.Name, file.Doc)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				c.comment(ExportedDoc, d.Name.Name, d.Doc)
			}
		case *ast.GenDecl:
			c.declaration(d)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && helpFields[key.Name] {
				c.help(key.Name, n.Value)
			}
		case *ast.Field:
			if n.Tag != nil {
				if tag, err := strconv.Unquote(n.Tag.Value); err == nil {
					c.add(Help, "option", n.Tag.Pos(), reflect.StructTag(tag).Get("doc"))
				}
			}
		}
		return true
	})
	return c.out
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	x := d.Recv.List[0].Type
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return false
		}
	}
}

type collector struct {
	fset *token.FileSet
	out  []Text
}

func (c *collector) add(k Kind, of string, pos token.Pos, text string) {
	if strings.TrimSpace(text) != "" {
		c.out = append(c.out, Text{of, k, c.fset.Position(pos).Line, text})
	}
}

func (c *collector) comment(k Kind, of string, g *ast.CommentGroup) {
	if g != nil {
		c.add(k, of, g.Pos(), g.Text())
	}
}

// declaration adds the docs of exported names of a declaration, and of their fields.
func (c *collector) declaration(d *ast.GenDecl) {
	if anyExported(d) {
		c.comment(ExportedDoc, "", d.Doc)
	}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				c.comment(ExportedDoc, s.Name.Name, s.Doc)
				c.comment(ExportedDoc, s.Name.Name, s.Comment)
				c.fields(s)
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.IsExported() {
					c.comment(ExportedDoc, n.Name, s.Doc)
					c.comment(ExportedDoc, n.Name, s.Comment)
					break
				}
			}
		}
	}
}

func anyExported(d *ast.GenDecl) bool {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				return true
			}
		case *ast.ValueSpec:
			if slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
				return true
			}
		}
	}
	return false
}

func (c *collector) fields(s *ast.TypeSpec) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			c.comment(ExportedDoc, s.Name.Name, f.Doc)
			c.comment(ExportedDoc, s.Name.Name, f.Comment)
		}
	}
}

// help adds a text that is a literal, or several put together.
func (c *collector) help(of string, x ast.Expr) {
	if text, ok := literal(x); ok {
		c.add(Help, of, x.Pos(), text)
	}
}

func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			s, err := strconv.Unquote(x.Value)
			return s, err == nil
		}
	case *ast.BinaryExpr:
		a, ok := literal(x.X)
		b, too := literal(x.Y)
		return a + b, (ok || too) && x.Op == token.ADD
	case *ast.ParenExpr:
		return literal(x.X)
	}
	return "", false
}
