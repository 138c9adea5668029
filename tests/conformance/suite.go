package main

import (
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// folders of the suite whose chunks are read, each with those below it.
var folders = []string{"IR", "Dialect/Builtin", "Dialect/Func", "Dialect/Arith", "Dialect/Math", "Dialect/SCF", "Dialect/Affine",
	"Dialect/MemRef", "Dialect/Tensor", "Dialect/Linalg", "Dialect/Vector", "Dialect/GPU", "Dialect/LLVM", "Dialect/LLVMIR"}

// mark is the line between the chunks of a file.
const mark = "// -----"

// A chunk is one program of a file: what stands between lines of "// -----".
type chunk struct {
	folder string // of folders
	file   string // below the suite
	line   int    // of the file, where it begins, from 1
	text   string
}

// sampled says that make test reads the chunk: always the same fourth of them, from all files.
func (c chunk) sampled() bool {
	return crc32.ChecksumIEEE(fmt.Appendf(nil, "%s:%d", c.file, c.line))%4 == 0
}

// split cuts the text of a file into chunks; those that hold no line but empty
// ones are left out.
func split(folder, file, text string) (out []chunk) {
	lines := strings.SplitAfter(text, "\n")
	begin := 0
	add := func(end int) {
		s := strings.Join(lines[begin:end], "")
		if strings.TrimSpace(s) != "" {
			out = append(out, chunk{folder, file, begin + 1, s})
		}
	}
	for i, s := range lines {
		if strings.HasPrefix(s, mark) && strings.TrimSpace(s) == mark {
			add(i)
			begin = i + 1
		}
	}
	add(len(lines))
	return out
}

// suite reads the chunks of the folders of MLIR's tests below root.
func suite(root string, only *regexp.Regexp) (out []chunk, err error) {
	for _, folder := range folders {
		dir := filepath.Join(root, filepath.FromSlash(folder))
		if _, err := os.Stat(dir); err != nil {
			continue // a dialect without tests of its own
		}
		err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".mlir" {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil || only != nil && !only.MatchString(rel) {
				return err
			}
			data, err := os.ReadFile(path)
			out = append(out, split(folder, filepath.ToSlash(rel), string(data))...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no programs below %s: it is not MLIR's folder mlir/test", root)
	}
	return out, nil
}

var successor = regexp.MustCompile(`"\([^"]*\)\[\^bb`)

// blocks reports that a program in generic form, as mlir-opt prints it, has
// control flow between blocks, or a region of several blocks that nothing joins.
func blocks(generic string) bool {
	before := ""
	for s := range strings.Lines(generic) {
		s = strings.TrimSpace(s)
		if successor.MatchString(s) {
			return true
		}
		if strings.HasPrefix(s, "^bb") && !strings.HasSuffix(before, "{") {
			return true
		}
		before = s
	}
	return false
}

var opLine = regexp.MustCompile(`^\s*(?:%[\w:]+ = )?"([^"]+)"\(`)

// opNames lists the ops of a program in generic form, in the order of the text.
func opNames(generic string, keep func(name string) bool) (out []string) {
	for s := range strings.Lines(generic) {
		if m := opLine.FindStringSubmatch(s); m != nil && keep(m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// difference shows the first line in which two texts differ, or "".
func difference(want, got string) string {
	w, g := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	for i := range max(len(w), len(g)) {
		a, b := "the end", "the end"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return "want " + strings.TrimSpace(a) + "\n      got  " + strings.TrimSpace(b)
		}
	}
	return ""
}
