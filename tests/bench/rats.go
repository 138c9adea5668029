package main

import "errors"

func (b *bench) rats() error { return errors.New("todo") }
