package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
)

// A source is the program that was read.
type source struct {
	name, text string
	kind       *Input
	mapped     [][]byte // large files
}

// forget gives the memory of large files back; who looks at them reads them again.
func (r *source) forget() {
	for _, data := range r.mapped {
		files.Forget(data)
	}
}

// A reader reads the files of a run. Only what the command line names is read, and a file that cannot be read is
// named in what is wrong.
type reader struct {
	line  *commandLine
	Stdin io.Reader
	read  source // the program, for the reproducer of a crash
}

// Read reads a file; - is standard input.
func (r *reader) Read(path string) (string, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(r.Stdin)
	} else {
		var mapped bool
		if data, mapped, err = files.ReadFile(path, !r.line.untrusted); mapped {
			r.read.mapped = append(r.read.mapped, data)
		}
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = r.cannotOpen(path, pe.Err)
	}
	return unsafe.String(unsafe.SliceData(data), len(data)), err // nobody else has data
}

// cannotOpen says why a file is not read, in mlir-opt's words.
func (r *reader) cannotOpen(path string, why error) error {
	d := diag.Errorf(diag.Span{}, "cannot open input file '%s': %v", path, why)
	if !errors.Is(why, fs.ErrNotExist) {
		return d
	}
	var beside []string
	if list, err := os.ReadDir(filepath.Dir(path)); err == nil {
		for _, e := range list {
			beside = append(beside, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	switch near := diag.Nearest(filepath.Clean(path), beside); {
	case near != "":
		return d.WithFix("did you mean '%s'?", near)
	case r.line.cmd.isDriver():
		return d.WithFix("irc [options] FILE reads a program; `irc -help` lists the commands")
	}
	return d
}

// Input reads the program of the command line.
func (r *reader) Input() (src *diag.Source, kind *Input, err error) {
	path := r.line.Files[0]
	if kind, err = r.namedKind(path); err != nil {
		return nil, nil, err
	}
	t, err := r.Read(path)
	if err != nil {
		return nil, nil, err
	}
	if strings.HasPrefix(t, bytecode) {
		return nil, nil, fmt.Errorf("%s is MLIR bytecode, which irc does not read: `mlir-opt %s` prints it as text", path, path)
	}
	if kind == nil {
		if kind, err = r.sniffedKind(path, t); err != nil {
			return nil, nil, err
		}
	}
	if path == "-" {
		path = "<stdin>"
	}
	r.read.name, r.read.text, r.read.kind = path, t, kind
	return diag.NewSource(path, t), kind, nil
}

// bytecode is what a file of MLIR's bytecode begins with.
const bytecode = "ML\xefR"

// namedKind is the kind that -x or the name of the file says; nil if what is in it is
// to tell.
func (r *reader) namedKind(path string) (*Input, error) {
	kind := r.line.Program.inputOf(path)
	if name := r.line.Str("x"); name != "" {
		kind = r.line.Program.inputNamed(name)
	}
	if kind == nil {
		return nil, nil
	}
	return kind, r.line.fits(kind)
}

// sniffedKind is the kind that a text looks like; that of standard input is the first
// one if it looks like none.
func (r *reader) sniffedKind(path, text string) (*Input, error) {
	kind := r.line.Program.sniffed(text)
	switch {
	case kind == nil && path == "-":
		kind = r.line.Program.Inputs[0]
	case kind == nil:
		return nil, Usagef(howToName(r.line.Program.Inputs), "what kind of input is %q?", path)
	}
	return kind, r.line.fits(kind)
}

// fits refuses a kind that this version does not read, and flags that are about other kinds of input alone, which would be
// forgotten without a word.
func (l *commandLine) fits(kind *Input) error {
	if kind.Missing != "" {
		return Usagef("", "%s", kind.Missing)
	}
	for _, other := range l.Program.Inputs {
		for _, name := range other.flags() {
			if name == "D" && (l.cmd.Letter == OnCost || l.Flag("loops") || l.Flag("time-kernels")) { // systems and loops of each kind have parameters
				continue
			}
			if other.Missing == "" && l.IsSet(name) && !slices.Contains(kind.flags(), name) {
				return Usagef("-x=KIND says what the input is, if its extension does not", "flag -%s is for %s, and '%s' is none", name, other.What, l.Files[0])
			}
		}
	}
	return nil
}

// NewContext makes a context of the program's dialects.
func (l *commandLine) NewContext() *ir.Context { return ir.NewContext(l.Program.Dialects...) }

// diagnose finds the place in the source of an error of the IR.
func diagnose(ctx *ir.Context, src *diag.Source, err error) *diag.Diagnostic {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	var ext *contract.ExternalError
	if errors.As(err, &ext) {
		return diagnoseExternal(ctx, src, ext)
	}
	var op *ir.OpError
	if !errors.As(err, &op) || op.Loc == 0 {
		return diag.Errorf(diag.Span{}, "%v", err)
	}
	msg := err.Error()
	if op.Loc&ir.LocAttr != 0 {
		return diag.Errorf(diag.Span{}, "%s", msg).WithNote(diag.Span{}, "at loc(%s)", ctx.LocText(op.Loc))
	}
	off := int(op.Loc) - 1
	return diag.Errorf(src.Span(off, off+len(wordAt(src.Text, off))), "%s", msg)
}

// wordAt is the op's name at an offset, for the length of the caret's line.
func wordAt(s string, off int) string {
	end := off
	for end < len(s) && !strings.ContainsRune(" \t\r\n(){}<>[]:,", rune(s[end])) {
		end++
	}
	return s[min(off, len(s)):end]
}
