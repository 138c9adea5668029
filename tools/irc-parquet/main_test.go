package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/irc/product"
)

// This file is irc-parquet if it is called so.
func TestMain(m *testing.M) {
	engine.ServeIfChild()
	if filepath.Base(os.Args[0]) == "irc-parquet" {
		runtime.LockOSThread()
		if os.Getenv("HOME") != "" {
			os.Exit(9) // it gets an environment of its own
		}
		os.Exit(run(os.Args[1:], closeIn, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const program = `func.func @main(%rows: !loop.array<!loop.struct<x: f64, s: !loop.string, price: i64>>) -> f64 {
  %n = loop.len %rows : !loop.array<!loop.struct<x: f64, s: !loop.string, price: i64>>
  %s = loop.for %i < %n -> reduce(add : f64) {
    %r = loop.at %rows[%i] : !loop.array<!loop.struct<x: f64, s: !loop.string, price: i64>>
    %x = loop.field %r["x"] : !loop.struct<x: f64, s: !loop.string, price: i64>
    loop.yield %x : f64
  }
  return %s : f64
}
`

// write makes a Parquet file with the columns price, a decimal, and x.
func write(t *testing.T, path string) {
	t.Helper()
	price, err := schema.NewPrimitiveNodeLogical("price", parquet.Repetitions.Required, schema.NewDecimalLogicalType(9, 2), parquet.Types.Int64, -1, -1)
	if err != nil {
		t.Fatal(err)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{price, schema.NewFloat64Node("x", parquet.Repetitions.Required, -1)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root)
	g, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		c, err := g.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			_, err = c.(*file.Int64ColumnChunkWriter).WriteBatch([]int64{1, 2, 3}, nil, nil)
		} else {
			_, err = c.(*file.Float64ColumnChunkWriter).WriteBatch([]float64{1.5, 2, 4}, nil, nil)
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// irc run takes a Parquet file by way of irc-parquet, which reads what the program reads; it
// says what is wrong with the file, and that there is no irc-parquet.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(own, filepath.Join(dir, "irc-parquet")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	write(t, "t.parquet")
	if err := os.WriteFile("cut.parquet", []byte("PAR1 and no more"), 0o644); err != nil {
		t.Fatal(err)
	}
	bomb, err := os.ReadFile(filepath.Join(home, "testdata/bomb.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bomb.parquet", bomb, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"bomb.mlir": strings.ReplaceAll(strings.ReplaceAll(program, `"x"`, `"a"`), "x: f64, s: !loop.string, price: i64", "a: f64"), "sum.mlir": program, "price.mlir": strings.ReplaceAll(strings.ReplaceAll(program, `"x"`, `"price"`), "f64", "i64")} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check := func(status int, want string, args ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		got := product.All().Main(append([]string{"run", "-engine=eval"}, args...), nil, &stdout, &stderr)
		if all := stdout.String() + stderr.String(); got != status || !strings.Contains(all, want) {
			t.Errorf("%v: status %d, want %d; got\n%s\nwant\n%s", args, got, status, all, want)
		}
	}
	check(0, `{"results": [7.5], "args": []}`, "sum.mlir", "-args=t.parquet")
	check(0, `t.parquet: 3 rows, 1 of 3 columns`, "-v", "sum.mlir", "-args=t.parquet")
	check(1, "error: t.parquet: column \"price\" is decimal(9, 2), which is not read\nhelp: write it as double", "price.mlir", "-args=t.parquet")
	check(1, "error: cut.parquet is damaged or not complete", "sum.mlir", "-args=cut.parquet")
	check(1, "more memory is needed than 52428800 bytes", "bomb.mlir", "-args=bomb.parquet", "-mem-limit=50M")
	t.Setenv("PATH", "")
	check(1, "error: cannot read t.parquet: irc-parquet, which reads Parquet files, is neither beside irc nor on the PATH\nhelp: `make build` makes both", "sum.mlir", "-args=t.parquet")
}

// Who starts it otherwise is told what it is for.
func TestUsage(t *testing.T) {
	var out, errs bytes.Buffer
	open := func(int64) error { return nil }
	if run(nil, open, &out, &errs) != 2 || errs.String() != "irc-parquet: irc starts it: irc-parquet NAME WANTS MEMORY 3<FILE\n" {
		t.Errorf("%s%s", &out, &errs)
	}
	if run([]string{"none", "{", "1000000000"}, open, &out, &errs) != 0 || out.String() != `{"rows":0,"bytes":null,"message":"unexpected end of JSON input"}`+"\n" {
		t.Errorf("%s", &out)
	}
}
