package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// counts of one folder.
type counts struct {
	chunks, refused, blocks, odd int // all; those left out, by reason
	read, same, built            int
	own, custom                  int // those of irc's dialects alone
}

func (c *counts) add(r result) {
	c.chunks++
	if r.given == "" {
		switch r.why {
		case notMLIR:
			c.refused++
		case hasBlocks:
			c.blocks++
		default:
			c.odd++
		}
		return
	}
	c.read++
	if !r.fails {
		c.same++
	}
	if r.loose == "" {
		c.built++
	}
	if r.own {
		c.own++
		if r.form == "" {
			c.custom++
		}
	}
}

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

// tables prints what came of all chunks, a line for each folder.
func tables(w io.Writer, results []result) {
	byFolder := map[string]*counts{}
	var all counts
	for _, r := range results {
		if byFolder[r.folder] == nil {
			byFolder[r.folder] = &counts{}
		}
		byFolder[r.folder].add(r)
		all.add(r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "folder\tchunks\tinvalid\tblocks\tnot generic\tread\tverbatim same\t%\tbuilt accepted\t%\town syntax\tsame\t%\t")
	row := func(name string, c *counts) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d\t%.1f\t%d\t%d\t%.1f\t\n", name, c.chunks, c.refused, c.blocks, c.odd,
			c.read, c.same, percent(c.same, c.read), c.built, percent(c.built, c.read), c.own, c.custom, percent(c.custom, c.own))
	}
	for _, f := range folders {
		if c := byFolder[f]; c != nil {
			row(f, c)
		}
	}
	row("all", &all)
	t.Flush()
}
