package main

import "testing"

func TestTable(t *testing.T) {
	rows, err := table(`struct { int x; } other[] = { { 1 } };
struct { const char *a; } names_tests [] = {
	/* a { comment } */
	{ "{ [i] "
	  ": i >= 0 }", &isl_set_min, -1 }, // "more"
	{ "b\n", 'x', { 2 } },
	"c",
};`, "names_tests")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[0].items[0].text != "{ [i] : i >= 0 }" || rows[0].items[1].text != "isl_set_min" || rows[0].items[2].text != "-1" ||
		rows[1].items[0].text != "b\n" || rows[1].items[2].items[0].text != "2" || rows[2].text != "c" {
		t.Errorf("%v", rows)
	}
	if _, err := table("x[] = { {", "x"); err == nil {
		t.Error("an open brace is read")
	}
	if _, err := table("x[] = { {", "y"); err == nil {
		t.Error("a table that is not there")
	}
}
