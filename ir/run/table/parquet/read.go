package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
)

// A Source is the bytes of a file: an *os.File, a *bytes.Reader.
type Source interface {
	io.ReaderAt
	io.Seeker
}

// Read reads the wanted columns of a Parquet file, in the order wanted, on as many cores as
// there are, a column each. The name is for diagnostics.
func Read(ctx context.Context, name string, src Source, wants []table.Want) (t *table.Table, err error) {
	var f *opened
	var plan []column
	err = survives(func() (err error) {
		if f, err = open(name, src); err == nil {
			plan, err = f.choose(wants)
		}
		return err
	}, func(why error) error { return damaged(name, why) })
	if err != nil {
		return nil, err
	}
	t = &table.Table{Rows: f.rows}
	errs := make([]error, len(plan))
	var wait sync.WaitGroup
	cores := make(chan bool, runtime.GOMAXPROCS(0))
	for k := range plan {
		t.Columns = append(t.Columns, plan[k].to)
		wait.Go(func() {
			cores <- true
			errs[k] = f.read(ctx, &plan[k])
			<-cores
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// opened is a file whose footer has been read.
type opened struct {
	name string
	src  Source
	size int64
	*file.Reader
	rows int
}

// A column is one that is read, and where to.
type column struct {
	leaf   int // of the file
	stored stored
	to     *table.Column
}

func properties() *parquet.ReaderProperties {
	p := parquet.NewReaderProperties(nil)
	p.BufferedStreamEnabled, p.BufferSize = true, 1<<18 // a damaged length takes no memory
	return p
}

func open(name string, src Source) (*opened, error) {
	size, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, problem("cannot read %s: %v", name, err)
	}
	magic := make([]byte, 4)
	if _, err := src.ReadAt(magic, 0); err != nil && err != io.EOF {
		return nil, problem("cannot read %s: %v", name, err)
	}
	if string(magic) != "PAR1" {
		return nil, problem("%s is no Parquet file: it does not begin with PAR1", name).WithFix("name a CSV file .csv")
	}
	r, err := file.NewParquetReader(io.NewSectionReader(src, 0, size), file.WithReadProps(properties()))
	if err != nil {
		return nil, damaged(name, err)
	}
	f := &opened{name: name, src: src, size: size, Reader: r}
	for _, g := range r.MetaData().RowGroups {
		if f.rows += int(g.NumRows); g.NumRows < 0 || f.rows < 0 {
			return nil, damaged(name, fmt.Errorf("a group of %d rows", g.NumRows))
		}
	}
	return f, nil
}

// damaged says that a file is not what its format wants.
func damaged(name string, err error) *diag.Diagnostic {
	return problem("%s is damaged or not complete: %v", name, err).WithFix("write or copy it again")
}

// reason is why the library for Parquet has panicked: it takes the lengths of a file for right.
func reason(r any) error {
	if _, ok := r.(runtime.Error); ok {
		return errors.New("its pages are not as they say")
	}
	return fmt.Errorf("%v", r)
}

// survives is the error of f, or what broken makes of the panic of the library on a damaged file.
func survives(f func() error, broken func(why error) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = broken(reason(r))
		}
	}()
	return f()
}

// choose finds the wanted columns, which are not nested and have values that fit.
func (f *opened) choose(wants []table.Want) ([]column, error) {
	root := f.MetaData().Schema.Root()
	var names []string
	for i := range root.NumFields() {
		names = append(names, root.Field(i).Name())
	}
	places, bad := table.Choose(wants, names)
	if bad != nil {
		return nil, bad.Diagnostic(f.name, diag.Span{})
	}
	plan := make([]column, len(wants))
	for i, k := range places {
		if k < 0 {
			continue
		}
		field, w := root.Field(i), wants[k]
		if _, group := field.(*schema.GroupNode); group || field.RepetitionType() == parquet.Repetitions.Repeated {
			return nil, problem("%s: column %q is nested, which is not read", f.name, w.Name).WithFix("write a column for each of its parts, or a row for each of its elements")
		}
		leaf := f.MetaData().Schema.ColumnIndexByNode(field)
		s := storedIn(f.MetaData().Schema.Column(leaf))
		if err := check(f.name, s, w); err != nil {
			return nil, err
		}
		plan[k] = column{leaf, s, table.NewColumn(w)}
	}
	return plan, nil
}

// read reads one column.
func (f *opened) read(ctx context.Context, c *column) error {
	return survives(func() error { return f.readPages(ctx, c) }, func(why error) error { return f.broken(c, why) })
}

func (f *opened) readPages(ctx context.Context, c *column) error {
	r, err := file.NewParquetReader(io.NewSectionReader(f.src, 0, f.size), file.WithReadProps(properties()), file.WithMetadata(f.MetaData()))
	if err != nil {
		return f.broken(c, err)
	}
	s := &sink{Column: c.to, rows: f.rows}
	for g := range r.NumRowGroups() {
		group := r.RowGroup(g)
		chunk, err := group.Column(c.leaf)
		if err != nil {
			return f.broken(c, err)
		}
		s.levels = chunk.Descriptor().MaxDefinitionLevel() > 0
		before := s.Rows()
		if err := s.take(ctx, chunk, c.stored.unsigned); err != nil {
			return f.explain(c, err)
		}
		if n := s.Rows() - before; int64(n) != group.NumRows() {
			return f.broken(c, fmt.Errorf("%d values, and %d rows", n, group.NumRows()))
		}
	}
	return nil
}

// explain says what is wrong with a column: a null, or the file.
func (f *opened) explain(c *column, err error) error {
	switch err := err.(type) {
	case nullError:
		return problem("%s: column %q has no value in row %d (counted from 0), and %s cannot be null", f.name, c.to.Name, int(err), c.to.Kind).
			WithFix("declare the column nullable: !loop.nullable<%s>", c.to.Kind.Spelled())
	}
	if err == context.Canceled || err == context.DeadlineExceeded {
		return err
	}
	return f.broken(c, err)
}

func (f *opened) broken(c *column, err error) error {
	return damaged(f.name, fmt.Errorf("column %q: %v", c.to.Name, err))
}
