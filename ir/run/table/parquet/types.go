package parquet

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
)

// stored is what a column of a file holds: a name for it, and the least kind that holds it
// exactly, or what to do about one that none holds.
type stored struct {
	name     string
	kind     table.Kind
	unsigned bool // 32 bits, of which the first is no sign
	fix      string
}

// storedIn tells what a column of a file holds.
func storedIn(c *schema.Column) stored {
	name := strings.ToLower(c.LogicalType().String())
	switch t := c.LogicalType().(type) {
	case schema.NoLogicalType, schema.UnknownLogicalType:
		return physical(c.PhysicalType())
	case schema.IntLogicalType:
		return integer(t)
	case schema.DateLogicalType:
		return stored{name: "date", kind: table.Date}
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType, schema.BSONLogicalType:
		if c.PhysicalType() == parquet.Types.ByteArray {
			return stored{name: name, kind: table.String}
		}
	case schema.DecimalLogicalType:
		return stored{name: fmt.Sprintf("decimal(%d, %d)", t.Precision(), t.Scale()), fix: "write it as double, which rounds it (CAST(x AS DOUBLE)), or as int64 in units of its last digit"}
	case schema.TimestampLogicalType:
		return stored{name: "timestamp", fix: "write it as int64 in a unit of your choice, or as date"}
	case schema.TimeLogicalType:
		return stored{name: "time", fix: "write it as int64 in a unit of your choice"}
	}
	return stored{name: name, fix: "write it as a string or as numbers"}
}

// physical is storedIn of a column without a logical type.
func physical(t parquet.Type) stored {
	switch t {
	case parquet.Types.Boolean:
		return stored{name: "boolean", kind: table.I1}
	case parquet.Types.Int32:
		return stored{name: "int32", kind: table.I32}
	case parquet.Types.Int64:
		return stored{name: "int64", kind: table.I64}
	case parquet.Types.Float:
		return stored{name: "float", kind: table.F32}
	case parquet.Types.Double:
		return stored{name: "double", kind: table.F64}
	case parquet.Types.ByteArray:
		return stored{name: "byte array", kind: table.String}
	case parquet.Types.Int96:
		return stored{name: "int96", fix: "it is a timestamp of old: write it as int64 in a unit of your choice, or as date"}
	}
	return stored{name: "fixed-length byte array", fix: "write it as a string or as numbers"}
}

// integer is storedIn of integers, by their width.
func integer(t schema.IntLogicalType) stored {
	if t.IsSigned() {
		kind := map[int8]table.Kind{8: table.I8, 16: table.I16, 32: table.I32, 64: table.I64}[t.BitWidth()]
		return stored{name: fmt.Sprintf("int%d", t.BitWidth()), kind: kind}
	}
	name := fmt.Sprintf("uint%d", t.BitWidth())
	if t.BitWidth() == 64 {
		return stored{name: name, fix: "write it as int64, if it fits"}
	}
	kind := map[int8]table.Kind{8: table.I16, 16: table.I32, 32: table.I64}[t.BitWidth()]
	return stored{name: name, kind: kind, unsigned: t.BitWidth() == 32}
}

// holds reports that all values of one kind are exact in another.
func holds(to, from table.Kind) bool {
	switch {
	case to == from:
		return true
	case to == table.Date:
		return from == table.I32
	case to.Integer():
		return from.Integer() && to.Size() >= from.Size()
	case to == table.F64:
		return from == table.F32 || from.Integer() && from.Size() <= 4 && from != table.Date
	case to == table.F32:
		return from == table.I8 || from == table.I16
	}
	return false
}

// check refuses a column whose values are not all exact in what is wanted.
func check(file string, s stored, w table.Want) error {
	switch {
	case s.fix != "":
		return problem("%s: column %q is %s, which is not read", file, w.Name, s.name).WithFix("%s", s.fix)
	case !holds(w.Kind, s.kind):
		return problem("%s: column %q is %s, which %s does not hold exactly", file, w.Name, s.name, w.Kind).WithFix("declare it as %s", s.kind.Spelled())
	}
	return nil
}

// problem is an error that is at no line.
func problem(format string, args ...any) *diag.Diagnostic {
	return diag.Errorf(diag.Span{}, format, args...)
}
