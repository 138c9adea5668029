package inputs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// A Code is what code is generated from: a schedule as a tree, or as a map with a context
// and options.
type Code struct {
	Times   p.Map // of a tree too
	Context p.Set
	tree    *schedule.Node
	options p.Map
}

// Generate makes the code.
func (c Code) Generate() (*codegen.Block, error) {
	if c.tree != nil {
		return codegen.Generate(c.tree, p.Set{}, codegen.Options{})
	}
	return codegen.GenerateMap(c.Times, c.Context, c.options, codegen.Options{})
}

// CodeFiles lists the inputs of the code generator of a copy of isl's source.
func CodeFiles(source string) (files []string, err error) {
	for _, pattern := range []string{"*.st", "*.in", "*/*.st", "*/*.in"} {
		fs, err := filepath.Glob(filepath.Join(source, "test_inputs/codegen", pattern))
		if err != nil {
			return nil, err
		}
		files = append(files, fs...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no inputs of a code generator in %s", source)
	}
	return files, nil
}

// ReadCode reads a tree from a file whose name ends with .st, else a map.
func ReadCode(file string) (c Code, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	if strings.HasSuffix(file, ".st") {
		return readTree(string(text))
	}
	parts := objects(string(text))
	if len(parts) < 3 {
		return c, fmt.Errorf("%s: %d sets and maps instead of 3", file, len(parts))
	}
	if c.Times, err = p.ParseMap(parts[0]); err != nil {
		return c, err
	}
	if c.Context, err = p.ParseSet(parts[1]); err != nil {
		return c, err
	}
	c.options, err = p.ParseMap(parts[2])
	return c, err
}

func readTree(text string) (c Code, err error) {
	if c.tree, err = schedule.Parse(text); err != nil {
		return c, err
	}
	for _, n := range c.tree.All() {
		if n.Kind() == schedule.Context && n.Set().Tuple().Len() == 0 {
			c.Context = n.Set()
			break
		}
	}
	c.Times, err = c.tree.Map()
	return c, err
}

// objects divides a text into sets and maps: each ends with a brace.
func objects(text string) (out []string) {
	var lines []string
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	text = strings.Join(lines, "")
	for {
		i := strings.IndexByte(text, '}')
		if i < 0 {
			return out
		}
		out, text = append(out, text[:i+1]), text[i+1:]
	}
}
