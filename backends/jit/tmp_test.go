//go:build !nojit && linux && (amd64 || arm64)

package jit

import "testing"

func TestTmp(t *testing.T) {
	l := library(t)
	_, cpu, _ := l.Host()
	ir := functions(100, 30)
	for _, o := range []Options{{}, {CPU: cpu}, {CPU: "x86-64"}, {CPU: "x86-64-v3"}, {}, {CPU: cpu}} {
		for range 3 {
			c, err := l.Compile(ir, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%q %+v", o.CPU, c.Timing())
			c.Close()
		}
	}
}
