// Package torch compares gradients of networks with PyTorch's. With it tests
//
//   - write random networks over ops of tensors, as a program of irc and as one of PyTorch: Random, and Recurrent with loops;
//   - compare the loss and its gradients with tables that PyTorch has made (testdata), and with PyTorch itself on
//     more networks, where it is installed (make soak);
//   - differentiate networks as loops, and as tensors where all their ops have rules on tensors.
//
// All numbers are f64. Element k of argument i is an exact number by a formula (Element, and element of gradients.py). Of a
// gradient three sums are compared: those by two lists of weights, and that of its sizes.
package torch
