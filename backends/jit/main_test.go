//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	ServeIfChild()
	if os.Getenv(orphanEnv) != "" {
		beParent()
		return
	}
	os.Exit(m.Run())
}

// library is libLLVM, or the end of the test.
func library(t testing.TB) *Library {
	t.Helper()
	l, err := Find()
	if errors.Is(err, ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// start is a child that ends with the test.
func start(t testing.TB, o ChildOptions) *Child {
	t.Helper()
	c, err := Start(t.Context(), o)
	if errors.Is(err, ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// cNames are the functions of libc that files of testdata call.
var cNames = []string{"printf", "puts", "malloc", "abort", "exit", "usleep"}

// compileFile compiles a file of testdata in a child.
func compileFile(t testing.TB, c *Child, file string) *Module {
	t.Helper()
	m, err := c.Compile(t.Context(), read(t, file), Options{Externs: cNames})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// within is a context with a generous limit, so that a hang fails the test.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}
