// Command irc-parquet reads columns of a Parquet file for irc, which starts it where a program
// takes one, and has it beside itself or on the PATH: the library for Parquet would make every
// start of irc 1.5 ms longer and its file 31 MB larger.
//
//	irc-parquet FILE WANTS
//
// WANTS is a JSON array of {"Name": ..., "Kind": ..., "Nullable": ...}, kinds by their numbers
// in ir/run/table. Standard output gets what table.Receive reads, an error too; the exit status
// is 0 if that could be written.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/run/table/parquet"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program; it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) != 2 {
		fmt.Fprintln(stderr, "irc-parquet: irc starts it: irc-parquet FILE WANTS")
		return 2
	}
	t, err := read(args[0], args[1])
	if err := table.Send(stdout, t, err); err != nil {
		fmt.Fprintln(stderr, "irc-parquet:", err)
		return 1
	}
	return 0
}

func read(path, wants string) (*table.Table, error) {
	var list []table.Want
	if err := json.Unmarshal([]byte(wants), &list); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, diag.Errorf(diag.Span{}, "%v", err)
	}
	defer f.Close()
	return parquet.Read(context.Background(), path, f, list)
}
