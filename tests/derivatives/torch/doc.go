// Package torch compares gradients of networks with PyTorch's. With it tests
//
//   - write random networks over ops of tensors, as a program of irc and as one of PyTorch: Random;
//   - compare the loss and its gradients with a table that PyTorch has made (testdata/gradients.txt), and with PyTorch itself on
//     more networks, where it is installed (make soak).
//
// All numbers are f64. Element k of argument i is an exact number by a formula (Element, and element of gradients.py). Of a
// gradient three sums are compared: those by two lists of weights, and that of its sizes.
package torch
