package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
)

// archs are what a bundle is made for.
var archs = []string{"sm_80", "sm_90"}

// bundle holds compiled kernels, so that the figures can be taken on a machine that
// has neither Go nor libLLVM. Without a file it compiles.
type bundle struct {
	file    string
	modules map[string]*nvvm.PTX // by key
}

func bundleKey(name, arch string, unchecked bool) string {
	return fmt.Sprintf("%s %s unchecked=%t", name, arch, unchecked)
}

// prepare reads the file, or makes it.
func (p *bundle) prepare(b *bench) error {
	if p.file == "" || p.modules != nil {
		return nil
	}
	data, err := os.ReadFile(p.file)
	if err == nil {
		return json.Unmarshal(data, &p.modules)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.modules = map[string]*nvvm.PTX{}
	for _, k := range deviceKernels {
		g, err := k.parse()
		if err != nil {
			return err
		}
		for _, arch := range archs {
			to := nvvm.GPU(arch)
			low, err := lowering.Compile(context.Background(), g, to)
			if err != nil {
				return err
			}
			for _, unchecked := range []bool{false, true} {
				m, err := nvvm.Compile(low, nvvm.Options{Target: to, Unchecked: unchecked})
				if err != nil {
					return err
				}
				p.modules[bundleKey(k.file, arch, unchecked)] = m
			}
		}
	}
	for _, s := range squareProducts {
		for _, arch := range archs {
			m, err := s.compile(b, arch)
			if err != nil {
				return err
			}
			p.modules[bundleKey(s.String(), arch, true)] = m
		}
	}
	for _, s := range gpuPrograms {
		for _, arch := range archs {
			m, err := s.compile(b.ctx, arch)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			p.modules[bundleKey(s.name, arch, false)] = m
		}
	}
	if data, err = json.MarshalIndent(p.modules, "", " "); err != nil {
		return err
	}
	return os.WriteFile(p.file, append(data, '\n'), 0o644)
}

// compile makes the PTX of a program that is lowered for a GPU, or finds it.
func (p *bundle) compile(name string) func(*ir.Graph, nvvm.Options) (*nvvm.PTX, error) {
	return func(g *ir.Graph, o nvvm.Options) (*nvvm.PTX, error) {
		if p.file == "" {
			return nvvm.Compile(g, o)
		}
		m := p.modules[bundleKey(name, o.Target.CPU, o.Unchecked)]
		if m == nil {
			return nil, fmt.Errorf("%s has no kernels of %s for %s", p.file, name, o.Target.CPU)
		}
		return m, nil
	}
}
