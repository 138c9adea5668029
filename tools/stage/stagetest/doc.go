// Package stagetest tests staged functions (tools/stage): one is run directly on values, by the interpreter and as native code, and
// does the same each time. It is for tests of languages that are written with tools/stage.
//
//	func TestSum(t *testing.T) {
//		p := stagetest.Compile[func([]int32, int) int64](t, sum)
//		p.Same([]int32{1, 2, 3}, 3)
//	}
//
// The main function of the tests calls engine.ServeIfChild first, as each program does that compiles:
//
//	func TestMain(m *testing.M) {
//		engine.ServeIfChild()
//		m.Run()
//	}
package stagetest
