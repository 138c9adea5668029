package npy_test

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/npy"
)

// What is written is read as the same, of all types.
func TestRoundTrip(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	for _, elem := range []ir.Type{ir.F64, ir.F32, ir.F16, ir.I64, ir.I32, ir.I16, ir.I8, ir.I1} {
		for _, shape := range [][]int64{{}, {3}, {2, 3}, {0, 4}} {
			n := npy.Size(c, elem)
			for _, d := range shape {
				n *= int(d)
			}
			a := &npy.Array{Elem: elem, Shape: shape, Data: []byte(strings.Repeat("\x01", n))}
			b, err := npy.Read(c, npy.Write(a))
			if err != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("%v becomes %v, %v", a, b, err)
			}
		}
	}
}

// NumPy writes what is read.
func TestNumPy(t *testing.T) {
	out, err := exec.Command("/usr/bin/python3", "-c", "import numpy, sys; numpy.save(sys.stdout.buffer, numpy.array([[1, -2, 3], [4, 5, 6]], 'int16'))").Output()
	if err != nil {
		t.Skip("needs NumPy (python3-numpy)")
	}
	c := ir.NewContext(dialects.All...)
	a, err := npy.Read(c, out)
	if err != nil || a.Elem != ir.I16 || len(a.Shape) != 2 || a.Shape[1] != 3 || a.Bits(1, 2) != 0xfffe {
		t.Error(a, err)
	}
}

// What is no such file is refused.
func TestWrong(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	good := npy.Write(&npy.Array{Elem: ir.F32, Shape: []int64{2}, Data: make([]byte, 8)})
	edit := func(old, now string) []byte { return []byte(strings.Replace(string(good), old, now, 1)) }
	for _, x := range []struct {
		file []byte
		says string
	}{
		{[]byte("PK"), "is no .npy file"},
		{good[:20], "ends within its header"},
		{good[:len(good)-1], "says extents (2, ), and has 7 bytes"},
		{edit("(2, )", "(9223372036854775807, 4)"), "says extents"},
		{edit("<f4", ">f4"), `has elements ">f4"`},
		{edit("False", "True "), "numpy.ascontiguousarray(x)"},
		{edit("'shape'", "'form'"), "is no array of numbers"},
	} {
		if _, err := npy.Read(c, x.file); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%q: %v, want %s", x.file, err, x.says)
		}
	}
}

// To NumPy each byte of truths but 0 is true; a version that is not known is none.
func TestTruthsAndVersions(t *testing.T) {
	c := ir.NewContext()
	a := &npy.Array{Elem: ir.I1, Shape: []int64{4}, Data: []byte{0, 1, 2, 255}}
	file := npy.Write(a)
	b, err := npy.Read(c, file)
	if err != nil || b.Bits(0, 1) != 0 || b.Bits(1, 1) != 1 || b.Bits(2, 1) != 1 || b.Bits(3, 1) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
	for version, known := range map[byte]bool{0: false, 1: true, 4: false, 9: false} {
		file[6] = version
		if _, err := npy.Read(c, file); (err == nil) != known || !known && !strings.Contains(err.Error(), "of the .npy format, and 1 to 3 are known") {
			t.Errorf("version %d: %v", version, err)
		}
	}
}
