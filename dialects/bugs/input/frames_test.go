package input

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// What the names of the model make of data frames and lists, and what is said of it.
func TestOpenFrames(t *testing.T) {
	factor := `d <- data.frame(u = 1:2, f = structure(c(2L, 1L), levels = c("old", "new"), class = "factor"))`
	for _, c := range []struct{ in, has, want, said string }{
		{factor, "d", "d [2 2] 1 2 2 1 int\n", `d is a data frame: the matrix of 2 rows with the columns u and f; d[,2] is a factor: 1 is "old" and 2 is "new"`},
		{factor, "u f", "u [2] 1 2 int\nf [2] 2 1 int\n", `f is a factor: 1 is "old" and 2 is "new"`},
		{factor + "\nN <- 2", "u", "u [2] 1 2 int\nf [2] 2 1 int\nN [] 2 int\n", "f is a factor"},
		{factor + "\nu <- 2", "d u", "d [2 2] 1 2 2 1 int\nu [] 2 int\n", "d is a data frame"},
		{factor + "\nu <- 2", "u", "", "u is given twice"},
		{`d <- data.frame(u = 1:2, s = c("a", "b"))`, "d", "", "the column s of d is text where numbers are wanted"},
		{`d <- data.frame(u = 1:2, s = c("a", "b"))`, "u", "", "the value of s is text where numbers are wanted"},
		{`d <- structure(list(u = 1:2, v = 1:3), class = "data.frame")`, "d", "", "the columns of d have different lengths"},
		{`d <- structure(list(u = 1:2, v = matrix(1:4, 2)), class = "data.frame")`, "d", "", "the column v of d is a matrix"},
		{`Y <- list(u = 1:2, v = 3:4)`, "Y", "u [2] 1 2 int\nv [2] 3 4 int\n", "Y is a list: its members u and v became data of their own, and the model has a variable Y"},
		{`Y <- list(u = 1:2, v = 3:4)`, "u", "u [2] 1 2 int\nv [2] 3 4 int\n", ""},
	} {
		d, list := ParseData(diag.NewSource("a.R", c.in), RDump)
		if list.Err() == nil {
			list = append(list, d.OpenFrames(func(name string) bool { return strings.Contains(" "+c.has+" ", " "+name+" ") })...)
		}
		if !strings.Contains(list.Error(), c.said) || c.said == "" && len(list) > 0 {
			t.Errorf("%s, %s: said %q", c.in, c.has, list.Error())
		}
		if got := show(d); c.want != "" && (got != c.want || list.Err() != nil) || c.want == "" && list.Err() == nil {
			t.Errorf("%s, %s: got\n%s\nwant\n%s", c.in, c.has, got, c.want)
		}
	}
}
