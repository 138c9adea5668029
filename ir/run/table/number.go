package table

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/irc-lang/irc/ir/decimal"
)

// parseFloat reads a number of 32 or 64 bits; big says that it is larger than the type holds.
func parseFloat(cell []byte, bits int) (x float64, ok, big bool) {
	if bits == 64 {
		if x, n := decimal.Scan(view(cell)); n == len(cell) && n > 0 {
			return x, true, false
		}
	}
	x, err := strconv.ParseFloat(view(cell), bits)
	if err != nil {
		return 0, false, math.IsInf(x, 0)
	}
	return x, true, false
}

// parseInt reads a decimal integer of some bits; big says that it is one that does not fit.
func parseInt(cell []byte, bits int) (x int64, ok, big bool) {
	digits := cell
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return 0, false, false
	}
	for _, c := range digits {
		if c -= '0'; c > 9 {
			return 0, false, false
		}
		x = 10*x + int64(c)
	}
	if len(digits) > 18 { // 10^18 fits, more may not
		var err error
		if x, err = strconv.ParseInt(view(cell), 10, 64); err != nil {
			return 0, false, true
		}
	} else if cell[0] == '-' {
		x = -x
	}
	low, high := Limits(bits)
	return x, x >= low && x <= high, x < low || x > high
}

// parseDate reads an ISO 8601 date, YYYY-MM-DD.
func parseDate(cell []byte) (days int32, ok bool) {
	if len(cell) != 10 || cell[4] != '-' || cell[7] != '-' {
		return 0, false
	}
	y, a := digits(cell[:4])
	m, b := digits(cell[5:7])
	d, c := digits(cell[8:])
	if !a || !b || !c || m < 1 || m > 12 || d < 1 || d > daysOf(y, m) {
		return 0, false
	}
	return daysFromCivil(y, m, d), true
}

func digits(text []byte) (n int, ok bool) {
	for _, c := range text {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = 10*n + int(c)
	}
	return n, true
}

// daysOf is how many days a month of a year has.
func daysOf(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysFromCivil counts from 1970-01-01 in the proleptic Gregorian calendar; years begin in March,
// so that the leap day is the last (Hinnant 2021, chrono-Compatible Low-Level Date Algorithms).
func daysFromCivil(y, m, d int) int32 {
	if m <= 2 {
		y--
	}
	era := floor(y, 400)
	ofEra := y - era*400
	ofYear := (153*((m+9)%12)+2)/5 + d - 1
	return int32(era*146097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719468)
}

// civilFromDays is the inverse of daysFromCivil.
func civilFromDays(days int32) (y, m, d int) {
	z := int(days) + 719468
	era := floor(z, 146097)
	day := z - era*146097
	ofEra := (day - day/1460 + day/36524 - day/146096) / 365
	ofYear := day - (365*ofEra + ofEra/4 - ofEra/100)
	month := (5*ofYear + 2) / 153 // 0 is March
	d = ofYear - (153*month+2)/5 + 1
	m = (month+2)%12 + 1
	y = ofEra + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

func floor(a, b int) int {
	if a < 0 {
		a -= b - 1
	}
	return a / b
}

// view is a cell as a string that lives as long as the cell is not changed.
func view(cell []byte) string { return unsafe.String(unsafe.SliceData(cell), len(cell)) }
