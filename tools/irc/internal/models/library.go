package models

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/bridgestan"
)

// Library is the program with the functions that samplers ask for.
func (m *bound) Library() (*ir.Graph, error) { return density.LibraryGraph(m.ctx, m.space) }

// Extend gives those of BridgeStan.
func (m *bound) Extend(lowered *ir.Graph, text string) (string, error) {
	l, err := density.LibraryOf(m.space, lowered)
	if err != nil {
		return "", err
	}
	return bridgestan.Text(l, m.data, nil, text)
}
