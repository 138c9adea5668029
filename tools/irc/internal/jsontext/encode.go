package jsontext

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// A Member and an Object are of JSON objects whose keys keep their order.
type Member struct {
	Key   string
	Value any
}

// Object: see Member.
type Object []Member

// Fields makes one of keys and their values.
func Fields(list ...any) (o Object) {
	for i := 0; i < len(list); i += 2 {
		o = append(o, Member{list[i].(string), list[i+1]})
	}
	return o
}

// Encode is a value as JSON on one line, with <, > and & as they are: nobody puts
// it into a page.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := Encode(m.Key)
		if err != nil {
			return nil, err
		}
		value, err := Encode(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Number is a float as JSON has it, or the string that stands for what it lacks.
// Minus zero is no integer, which would lose its sign in other languages.
func Number(x float64) any {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		if math.IsNaN(x) {
			return "NaN"
		}
		return Decimal(x)
	}
	if x == 0 && math.Signbit(x) {
		return json.RawMessage("-0.0")
	}
	return x
}

// Numbers is Number for everything inside arrays and objects.
func Numbers(v any) any {
	switch v := v.(type) {
	case float64:
		return Number(v)
	case []float64:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Number(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Numbers(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = Numbers(x)
		}
		return out
	}
	return v
}

// Indented is a value as JSON, a member a line.
func Indented(v any) ([]byte, error) {
	data, err := Encode(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, data, "", "  ")
	return append(out.Bytes(), '\n'), err
}

// Decimal is the shortest text of a float that reads back as it.
func Decimal(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
