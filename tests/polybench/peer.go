package polybench

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// sizesInC is where a program in C says its sizes.
var sizesInC = regexp.MustCompile(`enum\{([^}]*)\}`)

// Sizes are those of the program in C.
func (k *Kernel) Sizes(source string) ([]int, error) {
	m := sizesInC.FindStringSubmatch(source)
	if m == nil {
		return nil, fmt.Errorf("%s.c says no sizes", k.Name)
	}
	value := map[string]int{}
	for _, pair := range strings.Split(m[1], ",") {
		name, number, _ := strings.Cut(pair, "=")
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, err
		}
		value[name] = n
	}
	var out []int
	for _, p := range k.Params {
		n, ok := value[p]
		if !ok {
			return nil, fmt.Errorf("%s.c says no %s", k.Name, p)
		}
		out = append(out, n)
	}
	return out, nil
}

// Resized is the program in C with other sizes.
func (k *Kernel) Resized(source string, sizes []int) string {
	var pairs []string
	for i, p := range k.Params {
		pairs = append(pairs, fmt.Sprintf("%s=%d", p, sizes[i]))
	}
	return sizesInC.ReplaceAllString(source, "enum{"+strings.Join(pairs, ",")+"}")
}

// Dump is a program in C that prints the arrays after init and after kernel, and what check
// gives; peer is the file to include.
func (k *Kernel) Dump(peer string) string {
	var arrays, w strings.Builder
	for _, a := range k.Arrays {
		f, elem := "floats", "double"
		if a.Ints {
			f, elem = "ints", "int"
		}
		fmt.Fprintf(&arrays, "\t%s(\"%s\", (const %s *)%s, sizeof %s / sizeof(%s));\n", f, a.Name, elem, a.Name, a.Name, elem)
	}
	fmt.Fprintf(&w, "#define main timed\n#include %q\n#include \"dump.h\"\n\nint main(void)\n{\n", peer)
	fmt.Fprintf(&w, "\tinit();\n%s\tkernel();\n%s\tdouble sum = check();\n\tfloats(\"check\", &sum, 1);\n\treturn 0;\n}\n", &arrays, &arrays)
	return w.String()
}
