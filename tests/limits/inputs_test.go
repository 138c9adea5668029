//go:build linux

package limits

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"
)

// loops has loops of all kinds of lengths, and memory.
const loops = `func.func @main(%m: memref<100000000xf64>, %k: memref<64x64xf64>) {
  affine.for %i = 0 to 100000000 {
    %x = affine.load %m[%i] : memref<100000000xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %m[%i] : memref<100000000xf64>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %k[%i, %j] : memref<64x64xf64>
      %y = arith.mulf %x, %x : f64
      affine.store %y, %k[%i, %j] : memref<64x64xf64>
    }
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  %a = memref.alloc() : memref<1000000xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<100000000xf64>
    memref.store %x, %a[%c0] : memref<1000000xf64>
    memref.store %x, %m[%i] : memref<100000000xf64>
  }
  return
}
`

const (
	soon   = 8 * time.Second
	memory = "-mem-limit=256M"
)

func optionWays(t *testing.T) []attempt {
	files := map[string]string{"p.mlir": loops, "e.eq": "program p(N) : N >= 1 {\n  output B[N] : f64;\n  S: B[i] = 1.0 : { [i] : 0 <= i < N };\n}\n"}
	var ways []attempt
	for _, pipeline := range []string{"unroll{full=true limit=9000000000000000000}", "unroll{factor=9000000000000000000}", "unroll{factor=-1}", "sroa{limit=9000000000000000000}",
		"promote-buffers-to-stack{limit=9000000000000000000}", "vectorize{width=9000000000000000000}", "vectorize{width=2147483648}", "strip-mine{size=9000000000000000000}",
		"loop-tile{sizes=9000000000000000000,9000000000000000000}", "loop-tile{sizes=-5}", "unroll-and-jam{factor=9000000000000000000}", "loop-peel{front=9000000000000000000}", "inline{threshold=9000000000000000000}",
		"superword{width=9000000000000000000}", "tabulate{limit=9000000000000000000}", "repeat(canonicalize{max-iterations=-1})",
		strings.Repeat("repeat(", 3000) + "canonicalize" + strings.Repeat(")", 3000)} {
		name, _, deep := strings.Cut(pipeline, "repeat(repeat")
		try := refused(2, "9000000000000000000", files, "-passes="+pipeline, memory, "-timeout=4s", "p.mlir")
		if deep || strings.HasPrefix(pipeline, "inline") || !strings.Contains(pipeline, "9000000000000000000") {
			try = ends(soon, files, "-passes="+pipeline, memory, "-timeout=4s", "p.mlir")
		}
		ways = append(ways, attempt{"option values", "passes " + name, try})
	}
	for _, flag := range []string{"-mem-limit=9999999999999G", "-mem-limit=-1", "-timeout=9999999999h", "-timeout=-5s", "-fuel=99999999999999999999", "-threads=99999999999999999999", "-seed=-1", "-elide-elementsattrs-if-larger=99999999999999999999"} {
		args := []string{flag, "p.mlir"}
		ways = append(ways, attempt{"option values", flag[1:], refused(2, "wants", files, args...)})
	}
	return append(ways,
		attempt{"option values", "a size", ends(soon, files, "run", "-engine=eval", "-D", "N=9000000000000000000", memory, "e.eq")},
		attempt{"option values", "a size that fits no integer", ends(soon, files, "run", "-engine=eval", "-D", "N=99999999999999999999999999", memory, "e.eq")},
		attempt{"option values", "a size that fits memory", ends(soon, files, "run", "-engine=eval", "-D", "N=1000000000", memory, "e.eq")},
		attempt{"option values", "an entry", ends(soon, files, "run", "-engine=eval", "-entry="+strings.Repeat("x", 1<<16), memory, "p.mlir")},
		attempt{"option values", "a marker", ends(soon, files, "-split-input-file=f", memory, "p.mlir")},
	)
}

func argumentWays(t *testing.T) []attempt {
	const kind = "argument and target files"
	p := "func.func @main(%a: tensor<3xf64>, %b: tensor<?x?xi1>) -> tensor<3xf64> {\n  return %a : tensor<3xf64>\n}\n"
	files := map[string]string{"p.mlir": p, "t.mlir": tables, "f.mlir": loops, "m.bug": "model { for (i in 1:N) { y[i] ~ dnorm(mu, 1) }\n mu ~ dnorm(0, 1) }\n",
		"deep.json": strings.Repeat("[", 1<<20), "huge.json": `[[1,2,1e999999999], []]`, "long.json": "[" + strings.Repeat("[0,0,0],", 1<<18) + "0]",
		"big.json": `[{"file": "big.npy"}, []]`, "wide.csv": strings.Repeat("a,", 1<<20) + "a\n", "quote.csv": "a\n\"" + strings.Repeat("1", 1<<22),
		"n.json": `{"N": 1000000000000}`, "npy.json": `[{"file": "bad.npy"}, []]`, "zero.json": `[{"file": "/dev/zero"}, []]`, "zeronpy.json": `[{"file": "zero.npy"}, []]`,
		"big.npy": npy(1, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000000000, 9000000000000000000), }"),
		"bad.npy": npy(9, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }")}
	var ways []attempt
	run := func(name string, args ...string) {
		ways = append(ways, attempt{kind, name, func(t *testing.T) {
			r := irc(t, files, append([]string{"run", "-engine=eval", memory, "-timeout=4s"}, args...)...)
			if r.status != 1 || r.wall > soon {
				t.Errorf("status %d after %v\n%s", r.status, r.wall, r.out)
			}
		}})
	}
	run("nested without end", "-args=deep.json", "p.mlir")
	run("a number without end", "-args=huge.json", "p.mlir")
	run("a list without end", "-args=long.json", "p.mlir")
	run("an array of 10^37", "-args=big.json", "p.mlir")
	run("an array of another version", "-args=npy.json", "p.mlir")
	run("what never ends as arguments", "-args=/dev/zero", "p.mlir")
	run("what never ends in arguments", "-args=zero.json", "p.mlir")
	run("columns without end", "-args=wide.csv", "t.mlir")
	run("a quote without end", "-args=quote.csv", "t.mlir")
	run("what never ends as a table", "-args=/dev/zero.csv", "t.mlir")
	run("data without end", "-data=/dev/zero", "m.bug")
	run("a loop without end", "-data=n.json", "m.bug")
	for text, says := range map[string]string{
		`{"vector_bytes": 2147483648}`: "vector_bytes is 2147483648, and at most 256", `{"vector_bytes": 134217728}`: "at most 256", `{"cores": 1000000000}`: "at most 4096",
		`{"costs": {"max_full": 1000000000}}`: "at most 65536", `{"costs": {"unroll": 1000000000}}`: "at most 1024", `{"costs": {"max_split": 1000000000}}`: "at most",
		`{"costs": {"max_stack": 1000000000000}}`: "at most", `{"costs": {"max_inner": 1000000}}`: "at most", `{"costs": {"max_inline": 1000000000}}`: "at most",
		`{"features": ["+avx2,+x87 -O9"]}`: "features has", `{"cpu": "x86-64\n"}`: "cpu is", `{"triple": "x86 64"}`: "triple is", `{"costs": {"trips": 1e400}}`: "t.json:1",
		`{"cache_bytes": [` + strings.Repeat("1,", 1<<16) + `1]}`: "cache_bytes has", `[]`: "a target is an object", strings.Repeat("[", 1<<20): "t.json:1", `{"pipeline": "` + strings.Repeat("a,", 1<<16) + `"}`: "pipeline has",
	} {
		name := text[:min(len(text), 40)]
		ways = append(ways, attempt{kind, "target " + name, refused(1, says, map[string]string{"t.json": text, "p.mlir": loops}, "-target=t.json", "-passes=vectorize", memory, "-timeout=4s", "p.mlir")})
	}
	return append(ways,
		attempt{kind, "a pipeline of a target for others", refused(2, "flag -target is refused", map[string]string{"t.json": `{"pipeline": "poly-schedule{from=/etc/passwd}"}`, "p.mlir": p}, "-untrusted", "-emit=llvm", "-target=t.json", "p.mlir")},
		attempt{kind, "a file in arguments of others", refused(1, "is refused with -untrusted", map[string]string{"a.json": `[{"file": "/etc/passwd"}, []]`, "p.mlir": p}, "run", "-untrusted", "-engine=eval", "-args=a.json", "p.mlir")},
		attempt{kind, "a schedule of others", refused(2, "names a file, which is refused here", map[string]string{"p.mlir": p}, "-untrusted", "-passes=poly-schedule{from=/etc/passwd}", "p.mlir")},
	)
}

// npy is a file of NumPy's with a header and no data.
func npy(major, minor byte, header string) string {
	var b bytes.Buffer
	b.WriteString("\x93NUMPY")
	b.Write([]byte{major, minor})
	if err := binary.Write(&b, binary.LittleEndian, uint16(len(header)+1)); err != nil {
		panic(err)
	}
	fmt.Fprintf(&b, "%s\n", header)
	return b.String()
}
