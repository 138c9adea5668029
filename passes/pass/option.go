package pass

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// An Option is one exported field of a pass, or of a struct in it, with an `opt` tag: a bool, int, float64 or
// string, or a list ([]T) of ints, floats or strings. A tag `one:"a b c"` says which texts a string
// may be, and a tag `file:"read"` that it names a file.
type Option struct {
	Name, Doc string   // as a pipeline has it, and what it does: of the tags opt and doc
	Type      string   // as people read it: int, a|b|c, list of float
	Choices   []string // of a string
	List      bool     // it has any number of values, {a,b,c}
	File      bool     // it names a file that is read
	Default   string   // as it is written in a pipeline

	kind  reflect.Kind // of an element
	field []int
}

// optionsFor lists the options of a pass or an end with its current values as defaults.
func optionsFor(p any) []Option {
	opts, err := optionsOf(p)
	switch {
	case err == nil:
		return opts
	case whose(p) != "":
		panic(&ir.OpError{Author: true, Msg: fmt.Sprintf("%T, a pass of package %s, is defined wrongly: %v", p, whose(p), err)})
	}
	panic("pass: " + err.Error())
}

func optionsOf(p any) ([]Option, error) {
	v := reflect.ValueOf(p)
	if v.Kind() == reflect.Struct && !slices.ContainsFunc(reflect.VisibleFields(v.Type()), isOption) {
		return nil, nil
	}
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%T is no pointer to a struct, so its options cannot be set; what makes it is to return a pointer", p)
	}
	v = v.Elem()
	var out []Option
	for _, f := range reflect.VisibleFields(v.Type()) { // those of embedded structs, too
		name, ok := f.Tag.Lookup("opt")
		if !ok {
			continue
		}
		if !f.IsExported() || name == "" || slices.ContainsFunc(out, func(o Option) bool { return o.Name == name }) {
			return nil, fmt.Errorf("option %q is the field %s: a field is exported, and has a name of its own", name, f.Name)
		}
		o := Option{Name: name, Doc: f.Tag.Get("doc"), Choices: strings.Fields(f.Tag.Get("one")), File: f.Tag.Get("file") != "", field: f.Index}
		if err := o.typed(f.Type); err != nil {
			return nil, fmt.Errorf("option %s %v", name, err)
		}
		field := v.FieldByIndex(f.Index)
		o.Default = o.format(field)
		if err := o.set(field, o.texts(field)...); err != nil {
			return nil, fmt.Errorf("option %s is %s, which it may not be: it %v", name, o.Default, err)
		}
		out = append(out, o)
	}
	return out, nil
}

func isOption(f reflect.StructField) bool {
	_, ok := f.Tag.Lookup("opt")
	return ok
}

// whose is the package of the type of a pass or of another row, "" if it is irc's own. The tests of irc as a whole are outsiders.
func whose(row any) string {
	t := reflect.TypeOf(row)
	if t == nil {
		return ""
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	rest, own := strings.CutPrefix(t.PkgPath(), strings.TrimSuffix(reflect.TypeFor[Option]().PkgPath(), "passes/pass"))
	if own && !strings.HasPrefix(rest, "tests/") {
		return ""
	}
	return t.PkgPath()
}

var kinds = map[reflect.Kind]string{reflect.Bool: "bool", reflect.Int: "int", reflect.Float64: "float", reflect.String: "string"}

// typed fills in what follows from the field's type.
func (o *Option) typed(t reflect.Type) error {
	of := t
	if o.List = t.Kind() == reflect.Slice; o.List {
		of = t.Elem()
	}
	o.kind, o.Type = of.Kind(), kinds[of.Kind()]
	if o.Type == "" || o.List && o.kind == reflect.Bool {
		return fmt.Errorf("has type %s, want bool, int, float64, string or a list of one of the last three", t)
	}
	if len(o.Choices) > 0 {
		if o.kind != reflect.String {
			return fmt.Errorf("has choices and type %s: only strings have them", t)
		}
		o.Type = strings.Join(o.Choices, "|")
	}
	if o.List {
		o.Type = "list of " + o.Type
	}
	return nil
}

// texts are the elements of a value, or it alone.
func (o *Option) texts(v reflect.Value) []string {
	if !o.List {
		return []string{fmt.Sprint(v.Interface())}
	}
	out := make([]string, v.Len())
	for i := range out {
		out[i] = fmt.Sprint(v.Index(i).Interface())
	}
	return out
}

// format writes a value as it is read in a pipeline: {a,b} if it is a list.
func (o *Option) format(v reflect.Value) string {
	out := o.texts(v)
	if o.kind == reflect.String {
		for i := range out {
			out[i] = spellText(out[i])
		}
	}
	if !o.List {
		return out[0]
	}
	return "{" + strings.Join(out, ",") + "}"
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

// An optionError says which text, of a list, is no value, and what it may be instead.
type optionError struct {
	at       int
	msg, fix string
}

func (e *optionError) Error() string { return e.msg }

// set gives a field the value that texts spell, the elements of a list or one.
func (o *Option) set(f reflect.Value, texts ...string) error {
	to := reflect.New(f.Type()).Elem()
	for i, text := range texts {
		x := to
		if o.List {
			x = reflect.New(f.Type().Elem()).Elem()
		}
		if err := o.setOne(x, text); err != nil {
			err.at = i
			return err
		}
		if o.List {
			to = reflect.Append(to, x)
		}
	}
	f.Set(to)
	return nil
}

func (o *Option) setOne(f reflect.Value, text string) *optionError {
	wants := func(what string) *optionError {
		return &optionError{msg: fmt.Sprintf("wants %s, not %q", what, text)}
	}
	switch o.kind {
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return wants("true or false")
		}
		f.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return wants("a whole number")
		}
		f.SetInt(int64(n))
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x != x {
			return wants("a number")
		}
		f.SetFloat(x)
	default:
		if len(o.Choices) > 0 && !slices.Contains(o.Choices, text) {
			e := wants("one of " + strings.Join(o.Choices, ", "))
			if near := diag.Nearest(text, o.Choices); near != "" {
				e.fix = fmt.Sprintf("did you mean %q?", near)
			}
			return e
		}
		f.SetString(text)
	}
	return nil
}

// Usage shows how the option is written.
func (o *Option) Usage() string {
	what := o.Type
	if len(o.Choices) == 0 {
		what = strings.ToUpper(kinds[o.kind])
	} else if o.List {
		what = strings.Join(o.Choices, "|")
	}
	if o.List {
		what = "{" + what + ",...}"
	}
	return o.Name + "=" + what
}

// spell writes a pass with all its options, as -dump-pass-pipeline shows it.
func spell(info *Info, p any) string {
	opts, _ := optionsOf(p)
	parts := lists.Map(opts, func(o Option) string { return o.Name + "=" + o.Default })
	if open, ok := p.(open); ok {
		open.MoreOptions(func(name, value string) { parts = append(parts, name+"="+spellText(value)) })
	}
	if len(parts) == 0 {
		return info.Name
	}
	return info.Name + "{" + strings.Join(parts, " ") + "}"
}
