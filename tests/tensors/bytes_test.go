package tensors

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

var byteProducts = flag.Int("bytes", 20, "how many random products of integers of 8 and 16 bits are run")

// specs are products with rows, columns and sums, in one place or several, and in all orders.
var specs = []string{"ik,kj->ij", "ik,jk->ij", "ki,kj->ij", "ki,jk->ij", "jk,ik->ij", "kj,ik->ij", "bik,bkj->bij", "bik,bjk->ibj", "ikl,klj->ij", "ikl,lkj->ij", "aik,kj->aij", "iik,kj->ij", "bik,kj->ij"}

// A byteProduct is one, with its operands, and what it gives by loops over all indices.
type byteProduct struct{ text, args, want string }

// ofBytes makes a product: extents about what tiles, pairs and vectors end at, some of them open; elements that are often extreme.
func ofBytes(seed uint64, i int) byteProduct {
	r := rand.New(rand.NewPCG(seed, 188))
	spec, extents := specs[r.IntN(len(specs))], map[byte]int{}
	in, out, _ := strings.Cut(spec, "->")
	for _, x := range []byte("abijkl") {
		extents[x] = []int{1, 2, 3, 4, 5, 8, 13, 16, 17, 31, 33, 50}[r.IntN(12)]
		if x == 'a' || x == 'b' || x == 'l' {
			extents[x] = 1 + r.IntN(3)
		}
	}
	bits := 8 << r.IntN(2)
	open := r.IntN(3) == 0
	var types, names []string
	var args []any
	var operands []func(at map[byte]int) int32
	typ := func(of string, elem string) string {
		s := "tensor<"
		for _, x := range []byte(of) {
			if open && r.IntN(2) == 0 {
				s += "?x"
			} else {
				s += fmt.Sprintf("%dx", extents[x])
			}
		}
		return s + elem + ">"
	}
	for n, of := range strings.Split(in, ",") {
		size := 1
		for _, x := range []byte(of) {
			size *= extents[x]
		}
		data := make([]int32, size)
		for k := range data {
			if data[k] = int32(r.IntN(1<<bits)) - 1<<(bits-1); r.IntN(3) == 0 {
				data[k] = []int32{-1 << (bits - 1), 1<<(bits-1) - 1, -1, 0}[r.IntN(4)]
			}
		}
		operands = append(operands, func(at map[byte]int) int32 {
			k := 0
			for _, x := range []byte(of) {
				k = k*extents[x] + at[x]
			}
			return data[k]
		})
		types, names, args = append(types, typ(of, fmt.Sprintf("i%d", bits))), append(names, fmt.Sprintf("%%x%d", n)), append(args, nested(data, of, extents))
	}
	result := "tensor<"
	for _, x := range []byte(out) {
		n := fmt.Sprintf("%dx", extents[x])
		for k, of := range strings.Split(in, ",") { // open if all that have it are
			if parts := strings.Split(strings.TrimPrefix(types[k], "tensor<"), "x"); strings.IndexByte(of, x) >= 0 {
				for d := range len(of) {
					if of[d] == x && parts[d] != "?" {
						n = parts[d] + "x!"
					} else if of[d] == x && !strings.HasSuffix(n, "!") {
						n = "?x"
					}
				}
			}
		}
		result += strings.TrimSuffix(n, "!")
	}
	result += "i32>"
	p := byteProduct{text: fmt.Sprintf("func.func @f%d(%s: %s, %s: %s) -> %s {\n  %%y = ten.einsum %q %s : %s -> %[6]s\n  return %%y : %[6]s\n}\n",
		i, names[0], types[0], names[1], types[1], result, spec, strings.Join(names, ", "), strings.Join(types, ", "))}
	sums := map[string]int32{}
	order := unique(strings.ReplaceAll(in, ",", ""))
	at := map[byte]int{}
	var walk func(d int)
	walk = func(d int) {
		if d == len(order) {
			sums[place(out, at)] += operands[0](at) * operands[1](at) // wraps
			return
		}
		for at[order[d]] = range extents[order[d]] {
			walk(d + 1)
		}
	}
	walk(0)
	var flat []int32
	var collect func(d int)
	collect = func(d int) {
		if d == len(out) {
			flat = append(flat, sums[place(out, at)])
			return
		}
		for at[out[d]] = range extents[out[d]] {
			collect(d + 1)
		}
	}
	collect(0)
	a, _ := json.Marshal(args)
	w, _ := json.Marshal([]any{nested(flat, out, extents)})
	p.args, p.want = string(a), string(w)
	return p
}

func place(of string, at map[byte]int) (s string) {
	for _, x := range []byte(of) {
		s += fmt.Sprint(at[x], " ")
	}
	return s
}

func unique(s string) (out string) {
	for _, x := range s {
		if !strings.ContainsRune(out, x) {
			out += string(x)
		}
	}
	return out
}

// nested are numbers in lists of lists.
func nested(data []int32, of string, extents map[byte]int) any {
	if len(of) == 0 {
		return data[0]
	}
	n := extents[of[0]]
	out := make([]any, n)
	for i := range out {
		out[i] = nested(data[len(data)/n*i:len(data)/n*(i+1)], of[1:], extents)
	}
	return out
}

// Products of integers of 8 and 16 bits, summed up in 32, are what loops over their indices give, to the bit: by the ops, lowered, and in
// tiles of native code.
func TestBytes(t *testing.T) {
	var list []byteProduct
	var all strings.Builder
	for i := range *byteProducts {
		list = append(list, ofBytes(*firstSeed+uint64(i), i))
		all.WriteString(list[i].text)
	}
	g := built.Parse(t, all.String(), text.Options{})
	if n := strings.Count(lowered(t, g), "affine.contraction"); n < *byteProducts/3 {
		t.Errorf("%d of %d products become tiles", n, *byteProducts)
	}
	for i, p := range list {
		if got := built.Run(t, g, fmt.Sprintf("f%d", i), p.args); spaceless(got) != p.want {
			t.Errorf("the op gives %s, want %s:\n%s%s", got, p.want, p.text, p.args)
		}
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		e := built.Start(t, kind)
		defer e.Close()
		some := len(list)
		if kind == engine.LLVM { // which takes longest to make
			some = max(1, len(list)/5)
		}
		var src strings.Builder
		for _, p := range list[:some] {
			src.WriteString(p.text)
		}
		g := built.Parse(t, src.String(), text.Options{})
		program, err := built.Prepare(t.Context(), e, g)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range list[:some] {
			got, n, err := built.Call(t.Context(), program, g, fmt.Sprintf("f%d", i), p.args)
			if err != nil || spaceless(got) != p.want {
				t.Errorf("%s gives %s, %v, want %s:\n%s%s", e.Name(), got, err, p.want, p.text, p.args)
			}
			if n.Live > n.Results {
				t.Errorf("%s leaves %d blocks:\n%s", e.Name(), n.Live-n.Results, p.text)
			}
		}
	}
}

// Products of pairs in vectors of 16 and 32 bytes are the same.
func TestBytesInNarrowVectors(t *testing.T) {
	var list []Program
	for i := range 4 {
		p := ofBytes(*firstSeed+uint64(100+i), i)
		list = append(list, Program{Name: fmt.Sprintf("f%d", i), Text: p.text, Args: p.args})
	}
	all := meaning(t, list)
	for _, bytes := range []int{16, 32} {
		host := *target.Host()
		host.Vector = min(host.Vector, bytes)
		e, _, err := engine.LLVM.Start(t.Context(), engine.Options{CountHeap: true, Level: built.Level(), Target: &host})
		if errors.Is(err, jit.ErrMissing) {
			t.Skip("needs libLLVM (libllvm19)")
		}
		if err != nil {
			t.Fatal(err)
		}
		compare(t, e, all)
		e.Close()
	}
}

func spaceless(s string) string { return strings.ReplaceAll(s, " ", "") }

// The products of pairs are one instruction only where shuffles, products and signs are those of pairs: what is nearly so gives what it means, too.
func TestPairs(t *testing.T) {
	var list []Program
	add := func(lanes int, extend [2]string, even, odd [2]int, second string) {
		mask := func(first, step int) string {
			s := make([]string, lanes)
			for i := range s {
				s[i] = fmt.Sprint((first + step*i) % (2 * lanes))
			}
			return strings.Join(s, ", ")
		}
		halves, sums := fmt.Sprintf("vector<%dxi16>", 2*lanes), fmt.Sprintf("vector<%dxi32>", lanes)
		wide, memory := fmt.Sprintf("vector<%dxi32>", 2*lanes), "memref<32xi16>"
		name, r := fmt.Sprintf("f%d", len(list)), rand.New(rand.NewPCG(uint64(len(list)), 189))
		text := fmt.Sprintf("func.func @%s(%%x: %s, %%y: %[2]s, %%z: memref<%dxi32>) -> memref<%[3]dxi32> {\n  %%c0 = arith.constant 0 : index\n", name, memory, lanes)
		for i, v := range []string{"x", "y"} {
			text += fmt.Sprintf("  %%%s0 = vector.load %%%[1]s[%%c0] : %s, %s\n  %%%[1]s1 = arith.%[4]s %%%[1]s0 : %[3]s to %[5]s\n", v, memory, halves, extend[i], wide)
		}
		text += fmt.Sprintf("  %%p = arith.muli %%x1, %%y1 : %s\n  %%q = arith.muli %s : %[1]s\n", wide, second)
		text += fmt.Sprintf("  %%e = vector.shuffle %%p, %%p [%s] : %s, %[2]s\n  %%o = vector.shuffle %%q, %%q [%[3]s] : %[2]s, %[2]s\n", mask(even[0], even[1]), wide, mask(odd[0], odd[1]))
		text += fmt.Sprintf("  %%s = arith.addi %%e, %%o : %s\n  vector.store %%s, %%z[%%c0] : memref<%dxi32>, %[1]s\n  return %%z : memref<%[2]dxi32>\n}\n", sums, lanes)
		numbers := func(n int) string {
			s := make([]string, n)
			for i := range s {
				s[i] = fmt.Sprint([]int{-32768, 32767, -1, r.IntN(65536) - 32768, -32768}[r.IntN(5)])
			}
			return "[" + strings.Join(s, ", ") + "]"
		}
		list = append(list, Program{Name: name, Text: text, Args: fmt.Sprintf("[%s, %s, %s]", numbers(32), numbers(32), numbers(lanes))})
	}
	signed := [2]string{"extsi", "extsi"}
	for _, lanes := range []int{2, 4, 8, 16} {
		for _, second := range []string{"%x1, %y1", "%y1, %x1", "%x1, %x1"} {
			add(lanes, signed, [2]int{0, 2}, [2]int{1, 2}, second)
			add(lanes, signed, [2]int{1, 2}, [2]int{0, 2}, second)
			add(lanes, signed, [2]int{0, 2}, [2]int{0, 2}, second)
			add(lanes, signed, [2]int{1, 2}, [2]int{1, 2}, second)
			add(lanes, signed, [2]int{0, 1}, [2]int{1, 1}, second)
		}
		add(lanes, [2]string{"extui", "extsi"}, [2]int{0, 2}, [2]int{1, 2}, "%x1, %y1")
		add(lanes, [2]string{"extsi", "extui"}, [2]int{0, 2}, [2]int{1, 2}, "%x1, %y1")
	}
	all := meaning(t, list)
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		compare(t, started(t, kind), all)
	}
}
