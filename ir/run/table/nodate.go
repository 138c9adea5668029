package table

import (
	"fmt"
	"regexp"
	"sync"
)

var (
	day     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`) })
	moment  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ][0-9:.,Z+-]*$`) })
	written = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,4}([-/.])[0-9]{1,2}([-/.])[0-9]{1,4}$`) })
)

// noDate says what to do about a cell of integers or dates that is meant for a date and is none; "" of others.
func noDate(w *Want, cell []byte) (fix string) {
	x := day().FindSubmatch(cell)
	switch {
	case !w.Kind.Integer():
		return ""
	case x != nil:
		y, _ := digits(x[1])
		m, _ := digits(x[2])
		switch {
		case m < 1 || m > 12:
			return "months are 01 to 12: a date is written 2026-11-23"
		case w.Kind.bits() < 32:
			return fmt.Sprintf("%s does not hold days since 1970-01-01: declare the column as i32, or as a string", w.Kind)
		}
		return fmt.Sprintf("month %02d of %d has %d days", m, y, daysOf(y, m))
	case moment().Match(cell):
		return fmt.Sprintf("give the day alone, %s, or declare the column as a string", cell[:10])
	case w.Kind == Date, written().Match(cell) && string(written().FindSubmatch(cell)[1]) == string(written().FindSubmatch(cell)[2]):
		return "a date is written 2026-11-23"
	}
	return ""
}
