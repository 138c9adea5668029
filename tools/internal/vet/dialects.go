package vet

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/param"
	"github.com/irc-lang/irc/ir/text"
)

// dialectChecks look at a dialect as a whole.
var dialectChecks = []check{
	{"A dialect has a name of its own, which is a word.", (*finder).dialectName},
	{"An op is listed once, by the dialect of its name, and was made by ir.Define.", (*finder).listed},
	{"An op that is defined is listed by its dialect.", (*finder).unlisted},
	{"A type or an attribute has the dialect's prefix, and a name of its own.", (*finder).shapes},
	{"A type or an attribute that is defined is listed by its dialect.", (*finder).looseShapes},
	{"An attribute that has a Value has a ValueType and a FromValue.", (*finder).attrValues},
	{"A type's parts are what Unpack gives, and Pack gives the type.", (*finder).typeParts},
	{"A table is of a type that is asked for, of which a dialect has one, and is about ops that are listed.", (*finder).tables},
	{"A fold or a cleanup is of a listed op, has a rule in words and something to do.", (*finder).folds},
	{"A format compiles, and names all that an op, a type or an attribute has.", (*finder).formats},
	{"A level of rules is on some route.", (*finder).levels},
	{"A lowering has rules, or a constructor and the ops that it is for; two for one op have an order.", (*finder).lowerings},
	{"An op has an Eval, or a row of interp.Table, or is text only.", (*finder).interpreted},
	{"An op compiles, or some rule lowers it.", (*finder).compiled},
}

func (f *finder) dialectName() {
	if f.d.Name == "" || strings.ContainsAny(f.d.Name, ". \t!#%@\"") {
		f.wrong(nil, "its name is %q, which text cannot have before a dot", f.d.Name).WithFix("name it by one word of letters and digits")
	}
	f.twoDialects()
}

// twoDialects tells a name that a dialect before has.
func (f *finder) twoDialects() {
	i := slices.IndexFunc(f.Dialects, func(d *ir.Dialect) bool { return d.Name == f.d.Name })
	if first := f.Dialects[i]; first != f.d {
		f.wrong(f.firstHook(f.d), "another dialect has this name: the ops of one of them would be unknown").WithFix("name yours otherwise; the other one is: %s", first.Doc)
	}
}

// firstHook is a function of the first op that has one.
func (f *finder) firstHook(d *ir.Dialect) any {
	for _, op := range d.Ops {
		if op != nil && f.hook(op) != nil {
			return f.hook(op)
		}
	}
	return nil
}

func (f *finder) listed() {
	for i, op := range f.d.Ops {
		switch {
		case op == nil:
			f.nilOp(i)
		case slices.Contains(f.d.Ops[:i], op):
			f.wrong(f.hook(op), "op %s is listed twice", op.Name).WithFix("leave one of them out of Ops")
		case !f.known.defined[op]:
			f.wrong(f.hook(op), "op %s was not made by ir.Define, and has no number", op.Name).WithFix("write ir.Define(&ir.OpDef{Name: %q, ...}) once, in a package variable", op.Name)
		case f.known.byName[op.Name] != op:
			f.wrong(f.hook(op), "op %s has two definitions", op.Name).WithFix("give one of them another name")
		}
	}
}

// nilOp tells an op that was not there when the list was made.
func (f *finder) nilOp(i int) {
	if f.d.Ops[i] == nil {
		f.wrong(f.firstHook(f.d), "Ops has nil in the place of op number %d", i+1).WithFix("define the op in a package variable, by ir.Define, and list that: a function that fills it in runs later")
	}
}

func (f *finder) unlisted() {
	for _, op := range f.known.loose {
		if !f.Whole {
			return
		}
		if _, is := own(f.d, op.Name); is {
			f.wrong(f.hook(op), "op %s is defined, and not listed: what makes it makes an op that is printed and cannot be read", op.Name).
				WithFix("list it in Ops of the dialect, or leave the definition out")
		}
	}
}

func (f *finder) shapes() {
	for _, kind := range []struct {
		mark, make string
		list       []ir.Defined
	}{{"type !", "ir.DefineType", f.d.Types}, {"attribute #", "ir.DefineAttr", f.d.Attrs}} {
		var names map[string]bool
		if len(kind.list) > 0 {
			names = make(map[string]bool, len(kind.list))
		}
		for _, x := range kind.list {
			if x == nil || reflect.ValueOf(x).IsNil() || x.Shape() == nil {
				f.wrong(f.firstHook(f.d), "a %s was not made by %s", strings.TrimRight(kind.mark, " !#"), kind.make).WithFix("give the definition to %s, in a package variable", kind.make)
				continue
			}
			s := x.Shape()
			if _, is := own(f.d, s.Name); !is {
				_, last, _ := strings.Cut(s.Name, ".")
				f.wrong(f.firstHook(f.d), "%s%s has the prefix of another dialect", kind.mark, s.Name).WithFix("name it %q", f.d.Name+"."+last)
			}
			if names[s.Name] {
				f.wrong(f.firstHook(f.d), "%s%s is defined twice", kind.mark, s.Name).WithFix("leave one of them out")
			}
			names[s.Name] = true
			f.params(kind.mark+s.Name, s)
		}
	}
}

// params looks at the parameters of a type or an attribute.
func (f *finder) params(what string, s *ir.Shape) {
	for i, p := range s.Params {
		switch {
		case slices.ContainsFunc(s.Params[:i], func(q ir.ParamInfo) bool { return q.Name == p.Name }):
			f.wrong(f.firstHook(f.d), "%s has two parameters called %q", what, p.Name).WithFix("give each field a name of its own")
		case p.Kind == param.Word && len(p.Words) == 0:
			f.wrong(f.firstHook(f.d), "the parameter %q of %s is a word, and there are none to choose from", p.Name, what).WithFix("give ir.WordParam the words")
		}
	}
}

// tables looks at what higher layers ask of the dialect: they ask by the Go type, and the first answers.
func (f *finder) tables() {
	seen := map[reflect.Type]bool{}
	for _, table := range f.d.Tables {
		t := reflect.TypeOf(table)
		switch {
		case table == nil:
			f.wrong(f.firstHook(f.d), "Tables has nil in the place of a table").WithFix("leave it out")
			continue
		case t.Name() == "" && t.Kind() != reflect.Pointer:
			f.wrong(f.firstHook(f.d), "Tables has a %v, for which nobody asks", t).WithFix("give it the type of the layer that is to see it: text.Syntax, interp.Table, lower.Table")
		case seen[t]:
			f.wrong(f.firstHook(f.d), "Tables has two of type %v, of which the first alone counts", t).WithFix("make one of them")
		}
		seen[t] = true
		f.keys(t, reflect.ValueOf(table))
	}
}

// keys looks at the ops that a table is about.
func (f *finder) keys(t reflect.Type, table reflect.Value) {
	if t.Kind() != reflect.Map || t.Key() != reflect.TypeFor[*ir.OpDef]() {
		return
	}
	var loose []string
	for _, key := range table.MapKeys() {
		op := key.Interface().(*ir.OpDef)
		if op == nil {
			loose = append(loose, "nil")
		} else if f.isLoose(op) {
			loose = append(loose, op.Name)
		}
	}
	slices.Sort(loose)
	for _, name := range loose {
		f.wrong(f.firstHook(f.d), "%v has a row for %s, which no dialect lists", t, name).WithFix("list the op, or leave the row out")
	}
}

func (f *finder) folds() {
	for i := range f.d.Folds {
		if x := &f.d.Folds[i]; x.Of == nil || x.Do == nil && x.Is == nil || x.Rule == "" || f.isLoose(x.Of) {
			f.rule("fold", i, x.Of, x.Rule, x.Do == nil && x.Is == nil, x.Do)
		}
	}
	for i := range f.d.Cleanups {
		if x := &f.d.Cleanups[i]; x.Of == nil || x.Do == nil || x.Rule == "" || f.isLoose(x.Of) {
			f.rule("cleanup", i, x.Of, x.Rule, x.Do == nil, x.Do)
		}
	}
}

// isLoose reports an op that no dialect lists and that the dialect of its name does not tell of; Start does not look for them.
func (f *finder) isLoose(op *ir.OpDef) bool {
	told := func(d *ir.Dialect) bool { _, is := own(d, op.Name); return is && f.Whole }
	return f.known.home != nil && f.known.home[op] == nil && !slices.ContainsFunc(f.Dialects, told)
}

// rule tells what is missing of a fold or a cleanup, number i of the dialect.
func (f *finder) rule(what string, i int, of *ir.OpDef, rule string, idle bool, do any) {
	name := fmt.Sprintf("%s %q", what, rule)
	if rule == "" {
		name = fmt.Sprintf("%s number %d", what, i+1)
	}
	switch {
	case of == nil:
		f.wrong(do, "the %s is of no op", name).WithFix("say in Of for which op it is")
	case idle:
		f.wrong(f.hook(of), "the %s of %s has no Do", name, of.Name).WithFix("say in Do what is made, or leave the rule out")
	case rule == "":
		f.wrong(do, "the %s of %s has no Rule", name, of.Name).WithFix("say in a line what it does: statistics and tests name it by that")
	default:
		f.wrong(do, "the %s is of %s, which no dialect lists: it never runs", name, of.Name).WithFix("list the op")
	}
}

// formats are those of ops, types and attributes; the caret shows the place in the format.
func (f *finder) formats() {
	for of, d := range text.CheckForms(f.d) {
		f.note(d).Message = fmt.Sprintf("dialect %s, %s: %s", f.d.Name, of, strings.TrimPrefix(d.Message, "dialect "+f.d.Name+": "))
		f.found[len(f.found)-1].Op = of
		if op := f.known.byName[of]; op != nil && f.hook(op) != nil {
			d.WithNote(place(f.hook(op)), "a function of the op stands here")
		}
	}
}
