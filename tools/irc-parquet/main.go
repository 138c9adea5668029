// Command irc-parquet reads columns of a Parquet file for irc, which starts it where a program
// takes one, and has it beside itself or on the PATH: the library for Parquet would make every
// start of irc 1.5 ms longer and its file 31 MB larger.
//
//	irc-parquet NAME WANTS MEMORY 3<FILE
//
// NAME is for messages: the file is open as descriptor 3. WANTS is a JSON array of {"Name": ...,
// "Kind": ..., "Nullable": ...}, kinds by their numbers in ir/run/table. MEMORY is how many bytes its heap may have.
// Standard output gets what table.Receive reads, an error too; the exit status is 0 if that could be written.
//
// A file may be made to harm who reads it: before a byte of it is looked at, the process closes itself in as that of native
// code does (backends/sandbox): it has the file, its output and memory up to the limit, and nothing else.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/irc-lang/irc/backends/sandbox"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/run/table/parquet"
)

func main() {
	runtime.LockOSThread()
	os.Exit(run(os.Args[1:], closeIn, os.Stdout, os.Stderr))
}

// fileFD is the descriptor of the file.
const fileFD = 3

// closeIn leaves this process its descriptors and memory.
func closeIn(memory int64) error {
	// Said by us, the number of processors is not asked for again, in a file that is closed here.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	if err := sandbox.CloseFiles(fileFD + 1 + sandbox.Supervised()); err != nil {
		return err
	}
	if _, err := (sandbox.Limits{Memory: memory, Hard: true}).Set(); err != nil {
		return err
	}
	sandbox.Close() // who started it says what holds
	return nil
}

// run is the program; it returns the exit status.
func run(args []string, closeIn func(memory int64) error, stdout, stderr io.Writer) int {
	memory, err := int64(0), error(nil)
	if len(args) == 3 {
		memory, err = strconv.ParseInt(args[2], 10, 64)
	}
	if len(args) != 3 || err != nil {
		fmt.Fprintln(stderr, "irc-parquet: irc starts it: irc-parquet NAME WANTS MEMORY 3<FILE")
		return 2
	}
	if err := closeIn(memory); err != nil {
		fmt.Fprintln(stderr, "irc-parquet:", err)
		return 1
	}
	status := make(chan int, 1)
	var first sync.Once // what is told, a table or that there is no memory for one
	tell := func(t *table.Table, err error) {
		first.Do(func() {
			if err := table.Send(stdout, t, err); err != nil {
				fmt.Fprintln(stderr, "irc-parquet:", err)
				status <- 1
				return
			}
			status <- 0
		})
	}
	go watchMemory(memory, func() {
		tell(nil, diag.Errorf(diag.Span{}, "cannot read %s: more memory is needed than %d bytes", args[0], memory).WithFix("give more with -mem-limit; or read fewer columns"))
	})
	go func() { tell(read(args[0], args[1])) }()
	return <-status
}

// watchMemory calls over when the heap is larger than it may be. The limits of the process are behind it.
func watchMemory(limit int64, over func()) {
	debug.SetMemoryLimit(limit)
	var m runtime.MemStats
	for {
		time.Sleep(5 * time.Millisecond)
		if runtime.ReadMemStats(&m); int64(m.HeapAlloc) <= limit {
			continue
		}
		runtime.GC()
		if runtime.ReadMemStats(&m); int64(m.HeapAlloc) > limit {
			over()
			return
		}
	}
}

func read(name, wants string) (*table.Table, error) {
	var list []table.Want
	if err := json.Unmarshal([]byte(wants), &list); err != nil {
		return nil, err
	}
	f := os.NewFile(fileFD, name)
	if f == nil {
		return nil, diag.Errorf(diag.Span{}, "%s is not open", name)
	}
	defer f.Close()
	return parquet.Read(context.Background(), name, f, list)
}
