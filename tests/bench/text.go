package main

import (
	"bufio"
	"bytes"
	"os"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// countOps counts the ops of a file in generic form: in it every op's name is
// quoted and followed by its operands, and in our inputs no string is.
func countOps(path string) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 1<<16), 1<<28) // the values that one op carries are one line
	for in.Scan() {
		n += bytes.Count(in.Bytes(), []byte(`"(`))
	}
	return n, in.Err()
}

// parseFile reads a file in this process.
func parseFile(path string) (*ir.Graph, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(path, string(data)), text.Options{AllowUnregistered: true})
	return g, list.Err()
}

// write generates a file once and keeps it for later rows.
func (b *bench) write(name string, gen func(w *bufio.Writer)) (string, error) {
	if path := b.cache[name]; path != "" {
		return path, nil
	}
	path := b.dir + "/" + name + ".mlir"
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	gen(w)
	b.cache[name] = path
	return path, w.Flush()
}
