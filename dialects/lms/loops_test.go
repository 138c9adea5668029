package lms_test

var loopCases = []testCase{}
