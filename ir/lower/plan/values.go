package plan

import (
	"fmt"
	"strconv"

	"github.com/irc-lang/irc/ir/lower"
)

// Values are what a user has set options to, by their names: a bool, int, float64 or string each, as the default is. nil
// is none.
type Values map[string]any

// Set reads the value of an option as its type says. The error says what it wants, and the option is as before.
func (v Values) Set(o lower.Option, text string) error {
	var err error
	var x any = text
	what := ""
	switch o.Default().(type) {
	case bool:
		what = "true or false"
		x, err = strconv.ParseBool(text)
	case int:
		what = "a whole number"
		x, err = strconv.Atoi(text)
	case float64:
		what = "a number"
		x, err = strconv.ParseFloat(text, 64)
	}
	if err != nil {
		return fmt.Errorf("wants %s, not %q", what, text)
	}
	v[o.Name] = x
	return nil
}
