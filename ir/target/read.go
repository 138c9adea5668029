package target

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// Read reads a target from JSON, with the keys of Target's tags. What it leaves out is
// that of the host, or of nvptx64 or the interpreter, by its kind. Errors are
// diagnostics with a place in the file.
func Read(file string, data []byte) (*Target, error) {
	src := diag.NewSource(file, string(data))
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] != '{' && json.Valid(data) {
		return nil, diag.Errorf(src.At(len(data)-len(first)), "a target is an object").WithFix(`for example {"cores": 4}`)
	}
	var of struct {
		Kind Kind `json:"kind"`
	}
	if err := json.Unmarshal(data, &of); err != nil {
		return nil, located(src, data, err)
	}
	base := "host"
	switch of.Kind {
	case GPU:
		base = "nvptx64"
	case Interpreter:
		base = "interpreter"
	}
	t, err := Named(base, "")
	if err != nil {
		return nil, err
	}
	t.Name, t.Caches = strings.TrimSuffix(filepath.Base(file), ".json"), append([]int64(nil), t.Caches...)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, located(src, data, err)
	}
	if err := t.Check(); err != nil {
		return nil, placed(src, data, err)
	}
	return t, nil
}

// placed gives an error about the value of a key the place of the key.
func placed(src *diag.Source, data []byte, err error) error {
	at := 0
	var wrong *keyError
	if errors.As(err, &wrong) {
		key := wrong.key[strings.LastIndexByte(wrong.key, '.')+1:]
		at = max(0, bytes.Index(data, []byte(`"`+key+`"`)))
	}
	return diag.Errorf(src.At(at), "%v", err)
}

// located gives an error of JSON its place.
func located(src *diag.Source, data []byte, err error) error {
	at, text := 0, strings.TrimPrefix(err.Error(), "json: ")
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset) - 1
	case errors.As(err, &kind):
		at, text = int(kind.Offset)-1, fmt.Sprintf("%s is a %s, and %s is wanted", kind.Field, kind.Value, wanted(kind.Type))
	case strings.HasPrefix(text, "unknown field "):
		name := strings.Trim(strings.TrimPrefix(text, "unknown field "), `"`)
		at = max(0, bytes.Index(data, []byte(`"`+name+`"`)))
		d := diag.Errorf(src.At(at), "a target has no %q", name)
		if near := diag.Nearest(name, keys); near != "" {
			d.WithFix("did you mean %q?", near)
		}
		return d
	}
	return diag.Errorf(src.At(min(max(0, at), len(data))), "%s", text)
}

// wanted is what a value of a type is in JSON.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Struct:
		return "an object"
	}
	return "another value"
}

// keys are those that a target has.
var keys = func() []string {
	out := []string{"name", "kind", "triple", "cpu", "features", "vector_bytes", "cores", "cache_bytes", "memory_bytes", "library", "pipeline", "costs", "peak_flops", "bandwidth"}
	for _, c := range usual.all() {
		out = append(out, strings.TrimPrefix(c.key, "costs."))
	}
	return out
}()
