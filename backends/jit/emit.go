//go:build !nojit && linux && (amd64 || arm64)

package jit

import "unsafe"

// Optimize parses, verifies and optimises IR text and prints it again. Errors
// are *CompileError.
func (l *Library) Optimize(ll string, o Options) (string, error) {
	m, err := l.prepare(ll, o, false)
	if err != nil {
		return "", err
	}
	defer m.close()
	if err := m.optimize(o); err != nil {
		return "", err
	}
	return l.message(l.c.PrintModuleToString(m.mod)), nil
}

// Emit compiles IR text, optimised at the level of o, to assembly or to an
// object file. Errors are *CompileError.
func (l *Library) Emit(ll string, kind Kind, o Options) ([]byte, error) {
	m, err := l.prepare(ll, o, false)
	if err != nil {
		return nil, err
	}
	defer m.close()
	if err := m.optimize(o); err != nil {
		return nil, err
	}
	buf, err := m.emit(kind)
	if err != nil {
		return nil, err
	}
	defer l.c.DisposeMemoryBuffer(buf)
	text := unsafe.Slice((*byte)(pointer(l.c.GetBufferStart(buf))), l.c.GetBufferSize(buf))
	return append([]byte(nil), text...), nil
}
