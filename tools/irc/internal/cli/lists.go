package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/mliropt"
	"github.com/irc-lang/irc/tools/irc/internal/catalog"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
)

// listPasses shows the passes, or one of them.
func listPasses(s *Session) error {
	if s.Flag("check") {
		return s.checkPasses()
	}
	if path := s.Str("write"); path != "" {
		return files.WriteFile(&s.unfinished, path, []byte(catalog.Page(s.Program.Passes, s.Program.waysDown())))
	}
	list := s.Program.Passes
	if len(s.Files) == 1 {
		p, err := s.passNamed(s.Files[0])
		if err != nil {
			return err
		}
		if err := p.Check(); err != nil {
			return fmt.Errorf("pass %s is defined wrongly: %w", p.Name, err)
		}
		list = pass.List{p}
	}
	if s.Flag("json") {
		out := make([]catalog.Pass, len(list))
		for i, p := range list {
			out[i] = catalog.DescribePass(p)
		}
		return s.WriteJSON(out)
	}
	if len(s.Files) == 1 {
		_, err := fmt.Fprint(s.Stdout, catalog.DescribePass(list[0]).Text())
		return err
	}
	_, err := io.WriteString(s.Stdout, catalog.Passes(list))
	return err
}

// listDialects shows the dialects, or the ops of one.
func listDialects(s *Session) error {
	if s.Flag("check") {
		return s.checkDialects()
	}
	if path := s.Str("write"); filepath.Ext(path) == ".md" {
		return writeTable(s, path)
	} else if path != "" {
		return s.writeReadmes(path)
	}
	list := s.Program.Dialects
	if len(s.Files) == 1 {
		d, err := s.dialectNamed(s.Files[0])
		if err != nil {
			return err
		}
		list = []*ir.Dialect{d}
	}
	all := make([]catalog.Dialect, len(list))
	for i, d := range list {
		all[i] = catalog.DescribeDialect(d, s.Program.compiles())
	}
	if s.Flag("json") {
		return s.WriteJSON(all)
	}
	if len(s.Files) == 1 {
		_, err := fmt.Fprint(s.Stdout, all[0].Text())
		return err
	}
	_, err := io.WriteString(s.Stdout, catalog.Dialects(all))
	return err
}

// passNamed finds a pass that the command line names.
func (s *Session) passNamed(name string) (*pass.Info, error) {
	list := s.Program.Passes
	if advice := mliropt.Advice(name); advice != "" {
		return nil, Usagef(advice, "there is no pass %q", name)
	}
	p := list.Find(name)
	if p == nil {
		near := diag.Nearest(name, list.Names())
		if near != "" {
			near = "did you mean `irc passes " + near + "`?"
		}
		return nil, Usagef(near, "there is no pass %q", name)
	}
	return p, nil
}

// dialectNamed finds a dialect that the command line names; of several the last, which a user has added.
func (s *Session) dialectNamed(name string) (*ir.Dialect, error) {
	var names []string
	for _, d := range slices.Backward(s.Program.Dialects) {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	slices.Reverse(names)
	near := diag.Nearest(name, names)
	if near != "" {
		near = "did you mean `irc dialects " + near + "`?"
	} else {
		near = "there are " + strings.Join(names, ", ")
	}
	return nil, Usagef(near, "there is no dialect %q", name)
}

// folders are those that the folder of a dialect may be: "func" is no name for a package, and "ten" too
// short a one; the dialect "tensor", which is MLIR's, lives beside linalg.
func folders(d *ir.Dialect) []string {
	if d.Name == "tensor" {
		return []string{"linalg/tensors"}
	}
	return []string{d.Name, d.Name + "s", d.Name + "sor"}
}

// writeReadmes writes NAME/README.md for each dialect that has a folder in dir.
func (s *Session) writeReadmes(dir string) error {
	for _, d := range s.Program.Dialects {
		for _, name := range folders(d) {
			folder := filepath.Join(dir, name)
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				continue
			}
			if err := files.WriteFile(&s.unfinished, filepath.Join(folder, "README.md"), []byte(catalog.Readme(d, s.Program.compiles()))); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// writeTable writes the table of a page that says what is undefined, or which derivatives there are.
func writeTable(s *Session, path string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	table := catalog.Semantics
	if strings.Contains(string(page), catalog.DerivativesMark) {
		table = catalog.Derivatives
	}
	text, err := table(string(page), s.Program.Dialects)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return files.WriteFile(&s.unfinished, path, []byte(text))
}

// compiles is what tells an op that compiles; nil if none does.
func (p *Program) compiles() func(*ir.Dialect, *ir.OpDef) bool {
	if p.Lowering == nil {
		return nil
	}
	return p.Lowering.Supports
}

// waysDown is the page about what runs after the passes of -passes.
func (p *Program) waysDown() string {
	if p.Lowering == nil {
		return ""
	}
	return p.Lowering.Page()
}
