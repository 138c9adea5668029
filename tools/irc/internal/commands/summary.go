package commands

import (
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/draws"
	"github.com/irc-lang/irc/tools/irc/internal/summary"
)

// summarize prints what the draws in some files are good for.
func summarize(s *session) error {
	var files []*diag.Source
	for _, path := range s.Files {
		text, err := s.Read(path)
		if err != nil {
			return err
		}
		if path == "-" {
			path = "<stdin>"
		}
		files = append(files, diag.NewSource(path, text))
	}
	d, err := draws.Read(files)
	if err != nil {
		return err
	}
	quantities := d.All()
	if names := s.Str("monitor"); names != "" {
		if quantities, err = d.Matching(cli.NamesIn(names)); err != nil {
			return err
		}
	}
	out := summary.Of(d, quantities)
	if s.Flag("json") {
		data, err := out.JSON()
		if err != nil {
			return err
		}
		return s.Write(data)
	}
	return s.Write([]byte(out.Text()))
}
