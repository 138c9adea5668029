package cli

import (
	"bytes"
	"encoding/json"
	"math"
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

// number is a float as JSON has it, or the string that stands for what it lacks.
// Minus zero is no integer, which would lose its sign in other languages.
func number(x float64) any {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		if math.IsNaN(x) {
			return "NaN"
		}
		return show(x)
	}
	if x == 0 && math.Signbit(x) {
		return json.RawMessage("-0.0")
	}
	return x
}

// numbers is number for everything inside arrays and objects.
func numbers(v any) any {
	switch v := v.(type) {
	case float64:
		return number(v)
	case []float64:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = number(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = numbers(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = numbers(x)
		}
		return out
	}
	return v
}

// WriteJSON writes a value as indented JSON.
func (s *Session) WriteJSON(v any) error {
	data, err := Encode(v)
	var out bytes.Buffer
	if err == nil {
		err = json.Indent(&out, data, "", "  ")
	}
	if err != nil {
		return err
	}
	return s.Write(append(out.Bytes(), '\n'))
}
