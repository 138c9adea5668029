// Package forms is what several laws share and is no law itself: normal vectors by their
// precision, ordered categories, extreme values, neighbours on a map.
package forms
