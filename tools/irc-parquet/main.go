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
	"os"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/run/table/parquet"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "irc-parquet: irc starts it: irc-parquet FILE WANTS")
		os.Exit(2)
	}
	t, err := read(os.Args[1], os.Args[2])
	if err := table.Send(os.Stdout, t, err); err != nil {
		fmt.Fprintln(os.Stderr, "irc-parquet:", err)
		os.Exit(1)
	}
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
