package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/catalog"
)

// listPasses shows the passes, or one of them.
func listPasses(s *session) error {
	if path := s.str("write"); path != "" {
		return writeFile(&s.unfinished, path, []byte(catalog.Page(s.prog.Passes)))
	}
	list := s.prog.Passes
	if len(s.files) == 1 {
		p := list.Find(s.files[0])
		if advice := pass.Advice(s.files[0]); advice != "" {
			return usagef(advice, "there is no pass %q", s.files[0])
		}
		if p == nil {
			near := diag.Nearest(s.files[0], list.Names())
			if near != "" {
				near = "did you mean `irc passes " + near + "`?"
			}
			return usagef(near, "there is no pass %q", s.files[0])
		}
		list = pass.List{p}
	}
	if s.flag("json") {
		out := make([]catalog.Pass, len(list))
		for i, p := range list {
			out[i] = catalog.DescribePass(p)
		}
		return s.writeJSON(out)
	}
	if len(s.files) == 1 {
		_, err := fmt.Fprint(s.stdout, catalog.DescribePass(list[0]).Text())
		return err
	}
	_, err := io.WriteString(s.stdout, catalog.Passes(list))
	return err
}

// listDialects shows the dialects, or the ops of one.
func listDialects(s *session) error {
	if path := s.str("write"); path != "" {
		return s.writeReadmes(path)
	}
	list := s.prog.Dialects
	if len(s.files) == 1 {
		var names []string
		list = nil
		for _, d := range s.prog.Dialects {
			names = append(names, d.Name)
			if d.Name == s.files[0] {
				list = []*ir.Dialect{d}
			}
		}
		if list == nil {
			near := diag.Nearest(s.files[0], names)
			if near != "" {
				near = "did you mean `irc dialects " + near + "`?"
			} else {
				near = "there are " + strings.Join(names, ", ")
			}
			return usagef(near, "there is no dialect %q", s.files[0])
		}
	}
	all := make([]catalog.Dialect, len(list))
	for i, d := range list {
		all[i] = catalog.DescribeDialect(d)
	}
	if s.flag("json") {
		return s.writeJSON(all)
	}
	if len(s.files) == 1 {
		_, err := fmt.Fprint(s.stdout, all[0].Text())
		return err
	}
	_, err := io.WriteString(s.stdout, catalog.Dialects(all))
	return err
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
func (s *session) writeReadmes(dir string) error {
	for _, d := range s.prog.Dialects {
		for _, name := range folders(d) {
			folder := filepath.Join(dir, name)
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				continue
			}
			if err := writeFile(&s.unfinished, filepath.Join(folder, "README.md"), []byte(catalog.Readme(d))); err != nil {
				return err
			}
			break
		}
	}
	return nil
}
