package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Each breakage applies to the sources as they are, so that the table does not
// rot; that a test notices it is for `make breakages`.
func TestBreakagesApply(t *testing.T) {
	names := map[string]bool{}
	for _, b := range table {
		if names[b.Name] || b.Breaks == "" || b.Old == b.New {
			t.Errorf("%s: two of that name, or it breaks nothing", b.Name)
		}
		names[b.Name] = true
		if _, err := b.apply("../.."); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	if len(table) < 40 {
		t.Errorf("only %d breakages", len(table))
	}
}

// The list of what noticed what has all breakages and no others, and is read as it
// was written.
func TestNoted(t *testing.T) {
	noted, err := readNoted("testdata/noticed.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range table {
		if noted[b.Name].pkg == "" {
			t.Errorf("nothing is noted of %s: run `go run ./tests/breakages -update -only '^%s$'`", b.Name, b.Name)
		}
	}
	if len(noted) != len(table) {
		t.Errorf("%d are noted, there are %d", len(noted), len(table))
	}
	noted["design-1-one-need"] = verdict{pkg: "./a", test: "TestB", how: hangs, args: "-n=1 -m"}
	noted["design-3-soft-edges"] = verdict{pkg: "./a", how: crashes}
	file := filepath.Join(t.TempDir(), "deep", "noticed.txt")
	if err := noted.write(file, "abc", table); err != nil {
		t.Fatal(err)
	}
	again, err := readNoted(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range noted {
		if again[name] != v {
			t.Errorf("%s is read as %+v, not %+v", name, again[name], v)
		}
	}
}

// What the output of go test says is told apart.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.26\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\nfunc TestBad(t *testing.T) { t.Run(\"a\", func(t *testing.T) { t.Error() }) }\nfunc TestSlow(t *testing.T) { select {} }\nfunc TestDies(t *testing.T) { panic(1) }\n",
		"n/n.go":    "package n\n\nvar x int = \"\"\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for run, want := range map[string]verdict{
		"TestGood": none,
		"TestBad":  {pkg: ".", test: "TestBad"},
		"TestDies": {pkg: ".", test: "TestDies"},
	} {
		if got, err := (step{pkg: ".", run: run}).test("", time.Minute); err != nil || got != want {
			t.Errorf("%s: %+v, %v", run, got, err)
		}
	}
	if got, err := (step{pkg: ".", run: "TestSlow", args: []string{"-test.v"}}).test("", time.Second); err != nil || got != (verdict{pkg: ".", test: "TestSlow", how: hangs, args: "-test.v"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := (step{pkg: "./n"}).test("", time.Minute); err == nil {
		t.Error("what does not compile is no error")
	}
}
