package target_test

import (
	"fmt"
	"log"

	"github.com/irc-lang/irc/ir/target"
)

// A file describes a machine; what it leaves out is as on this one. A pass asks for lanes, not for a machine.
func Example() {
	t, err := target.Read("small.json", []byte(`{"triple": "x86_64-unknown-linux-gnu", "cpu": "haswell", "vector_bytes": 32, "cores": 2}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Lanes(8), "numbers of 8 bytes in a vector,", t.Cores, "cores")
	// Output:
	// 4 numbers of 8 bytes in a vector, 2 cores
}
