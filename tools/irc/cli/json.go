package cli

import (
	"bytes"
	"encoding/json"
	"math"
)

// member and object are JSON objects whose keys keep their order.
type member struct {
	key   string
	value any
}

type object []member

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
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
func number(x float64) any {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		if math.IsNaN(x) {
			return "NaN"
		}
		return show(x)
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

// writeJSON writes a value as indented JSON.
func (s *session) writeJSON(v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return s.write(append(data, '\n'))
}
