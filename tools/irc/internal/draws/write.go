package draws

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// A Writer writes a chain as CmdStan does: comments with settings, names, a line for each draw.
type Writer struct {
	out  *bufio.Writer
	line []byte
}

// NewWriter writes the head. Settings are names and their values in turn, sampler the names of what the sampler says of a draw.
func NewWriter(w io.Writer, settings []any, sampler, names []string) *Writer {
	out := &Writer{out: bufio.NewWriterSize(w, 1<<16)}
	for i := 0; i < len(settings); i += 2 {
		fmt.Fprintf(out.out, "# %v = %v\n", settings[i], settings[i+1])
	}
	for i, n := range sampler {
		if i > 0 {
			out.out.WriteByte(',')
		}
		out.out.WriteString(n + "__")
	}
	for _, n := range names {
		out.out.WriteString("," + toStan(n))
	}
	out.out.WriteByte('\n')
	return out
}

// toStan spells theta[1,2] as theta.1.2.
func toStan(name string) string {
	base, rest, ok := strings.Cut(name, "[")
	if !ok {
		return name
	}
	return base + "." + strings.ReplaceAll(strings.TrimSuffix(rest, "]"), ",", ".")
}

// Comment writes a comment between draws.
func (w *Writer) Comment(format string, args ...any) { fmt.Fprintf(w.out, "# "+format+"\n", args...) }

// Draw writes a draw whole or not at all: the file has it once the buffer goes out.
func (w *Writer) Draw(sampler, values []float64) error {
	w.line = w.line[:0]
	for _, list := range [][]float64{sampler, values} {
		for _, x := range list {
			if len(w.line) > 0 {
				w.line = append(w.line, ',')
			}
			w.line = append(w.line, decimal(x)...)
		}
	}
	w.line = append(w.line, '\n')
	if w.out.Available() < len(w.line) {
		if err := w.out.Flush(); err != nil {
			return err
		}
	}
	_, err := w.out.Write(w.line)
	return err
}

// decimal is a number as Stan spells it.
func decimal(x float64) string {
	switch s := jsontext.Decimal(x); s {
	case "Infinity":
		return "inf"
	case "-Infinity":
		return "-inf"
	case "NaN":
		return "nan"
	default:
		return s
	}
}

// Flush writes what there is.
func (w *Writer) Flush() error { return w.out.Flush() }
