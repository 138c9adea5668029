package pass

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// An Option is one exported field of a pass with an `opt` tag.
type Option struct {
	Name, Doc, Type string
	Default         string // as it is written in a pipeline

	field int
}

// Options lists the options of a pass with its current values as defaults.
func Options(p Pass) []Option {
	opts, err := optionsOf(p)
	if err != nil {
		panic("pass: " + err.Error())
	}
	return opts
}

func optionsOf(p Pass) ([]Option, error) {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%T is no pointer to a struct", p)
	}
	v = v.Elem()
	var out []Option
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, ok := f.Tag.Lookup("opt")
		if !ok {
			continue
		}
		o := Option{Name: name, Doc: f.Tag.Get("doc"), field: i}
		switch f.Type.Kind() {
		case reflect.Bool:
			o.Type = "bool"
		case reflect.Int:
			o.Type = "int"
		case reflect.String:
			o.Type = "string"
		default:
			return nil, fmt.Errorf("option %s has type %s, want bool, int or string", name, f.Type)
		}
		o.Default = format(v.Field(i))
		out = append(out, o)
	}
	return out, nil
}

// format writes a value as it is read in a pipeline.
func format(v reflect.Value) string {
	s := fmt.Sprint(v.Interface())
	if v.Kind() == reflect.String {
		return spellText(s)
	}
	return s
}

// spellText puts quotes around a text that needs them.
func spellText(s string) string {
	if s == "" || strings.ContainsAny(s, " {}(),'\"=") {
		if strings.Contains(s, `"`) {
			return "'" + s + "'"
		}
		return `"` + s + `"`
	}
	return s
}

// set gives an option the value that text spells.
func set(p Pass, o Option, text string) error {
	f := reflect.ValueOf(p).Elem().Field(o.field)
	switch o.Type {
	case "bool":
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("wants true or false, not %q", text)
		}
		f.SetBool(b)
	case "int":
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("wants a whole number, not %q", text)
		}
		f.SetInt(int64(n))
	default:
		f.SetString(text)
	}
	return nil
}

// spell writes a pass with all its options, as -dump-pass-pipeline shows it.
func spell(info *Info, p Pass) string {
	var parts []string
	for _, o := range Options(p) {
		parts = append(parts, o.Name+"="+o.Default)
	}
	if open, ok := p.(Open); ok {
		open.MoreOptions(func(name, value string) { parts = append(parts, name+"="+spellText(value)) })
	}
	if len(parts) == 0 {
		return info.Name
	}
	return info.Name + "{" + strings.Join(parts, " ") + "}"
}
