package table

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// What is sent is received, whole or not at all.
func TestSend(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := I1; k <= String; k++ {
		for _, nulls := range []bool{false, true} {
			w := Want{"x", k, nulls}
			tab := &Table{Rows: 7, Columns: []*Column{randomColumn(rng, w, 7)}}
			var b bytes.Buffer
			if err := Send(&b, tab, nil); err != nil {
				t.Fatal(err)
			}
			got, err := Receive(bytes.NewReader(b.Bytes()), []Want{w}, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Columns[0].Data) == 0 {
				got.Columns[0].Data, tab.Columns[0].Data = nil, nil
			}
			if !reflect.DeepEqual(got, tab) {
				t.Errorf("%s: got %v, want %v", k, got.Columns[0], tab.Columns[0])
			}
			if _, err := Receive(bytes.NewReader(b.Bytes()[:rng.IntN(b.Len())]), []Want{w}, 1<<30); err != io.ErrUnexpectedEOF {
				t.Errorf("%s, cut off: %v", k, err)
			}
		}
	}
	var b bytes.Buffer
	if err := Send(&b, nil, diag.Errorf(diag.Span{}, "no such column").WithFix("take another")); err != nil {
		t.Fatal(err)
	}
	_, err := Receive(&b, nil, 0)
	var d *diag.Diagnostic
	if !errors.As(err, &d) || err.Error() != "error: no such column\nhelp: take another" {
		t.Errorf("got %v", err)
	}
}
