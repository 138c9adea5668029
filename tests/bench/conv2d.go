package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// A layer is a convolution of one square image: kernels by channels of a group by extent, channels and extent of the image.
type layer struct {
	name                        string
	kernels, per, extent        int
	channels, image             int
	stride, pad, behind, groups int  // behind pads the end of each row and column
	isFinished                  bool // with a bias for each channel and a rectifier behind it
}

// layers are ten of ResNet-50 (He et al., 2016) and MobileNet (Howard et al., 2017).
var layers = []layer{
	{"resnet conv1 7x7/2", 64, 3, 7, 3, 224, 2, 3, 2, 1, false},
	{"resnet conv2 1x1", 256, 64, 1, 64, 56, 1, 0, 0, 1, false},
	{"resnet conv2 3x3", 64, 64, 3, 64, 56, 1, 1, 1, 1, false},
	{"resnet conv3 1x1/2", 512, 256, 1, 256, 56, 2, 0, 0, 1, false},
	{"resnet conv3 3x3", 128, 128, 3, 128, 28, 1, 1, 1, 1, false},
	{"resnet conv4 3x3", 256, 256, 3, 256, 14, 1, 1, 1, 1, false},
	{"resnet conv5 3x3", 512, 512, 3, 512, 7, 1, 1, 1, 1, false},
	{"mobilenet depthwise", 32, 1, 3, 32, 112, 1, 1, 1, 32, false},
	{"mobilenet depthwise/2", 64, 1, 3, 64, 112, 2, 1, 0, 64, false},
	{"mobilenet pointwise", 512, 512, 1, 512, 14, 1, 0, 0, 1, false},
}

// depthwiseLayers are of MobileNetV2 (Sandler et al., 2018) and EfficientNet (Tan and Le, 2019), whose last ones have small images.
var depthwiseLayers = []layer{
	{"96 of 112, 3x3/2", 96, 1, 3, 96, 112, 2, 1, 0, 96, false},
	{"144 of 56, 3x3", 144, 1, 3, 144, 56, 1, 1, 1, 144, false},
	{"144 of 56, 3x3/2", 144, 1, 3, 144, 56, 2, 1, 0, 144, false},
	{"192 of 28, 3x3", 192, 1, 3, 192, 28, 1, 1, 1, 192, false},
	{"192 of 28, 3x3/2", 192, 1, 3, 192, 28, 2, 1, 0, 192, false},
	{"240 of 28, 5x5/2", 240, 1, 5, 240, 28, 2, 2, 1, 240, false},
	{"384 of 14, 3x3", 384, 1, 3, 384, 14, 1, 1, 1, 384, false},
	{"384 of 14, 3x3/2", 384, 1, 3, 384, 14, 2, 1, 0, 384, false},
	{"480 of 14, 5x5", 480, 1, 5, 480, 14, 1, 2, 2, 480, false},
	{"960 of 7, 3x3", 960, 1, 3, 960, 7, 1, 1, 1, 960, false},
}

// result is the extent of the result.
func (l layer) result() int { return (l.image+l.pad+l.behind-l.extent)/l.stride + 1 }

func (l layer) flops() float64 {
	o := l.result()
	return 2 * float64(l.kernels*o*o) * float64(l.per*l.extent*l.extent)
}

// layerFinish is what follows the convolution of one that is finished.
const layerFinish = `
  %b = ten.pack %B : _B
  %z = ten.map (%p = %y : _TY, %q = %b : _TB) -> _TY {
    %0 = arith.addf %p, %q : f32
    ten.yield %0 : f32
  }
  %r = ten.relu %z above 0.0 : f64 : _TY`

// layerProgram is a convolution as often as said, of numbers by their places.
const layerProgram = `
func.func @init(%Y: _Y {llvm.noalias}, %X: _X {llvm.noalias}, %W: _W {llvm.noalias}, %B: _B {llvm.noalias}) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  affine.for %c = 0 to _channels {
    affine.for %y = 0 to _image {
      affine.for %x = 0 to _image {
        %i = affine.apply affine_map<(c, y, x) -> ((c * _image + y) * _image + x)>(%c, %y, %x)
        %0 = arith.muli %i, %c7 : index
        %1 = arith.remsi %0, %c11 : index
        %2 = arith.subi %1, %c5 : index
        %3 = arith.index_cast %2 : index to i32
        %4 = arith.sitofp %3 : i32 to f32
        affine.store %4, %X[0, %c, %y, %x] : _X
      }
    }
  }
  affine.for %m = 0 to _kernels {
    %a = arith.muli %m, %c3 : index
    %b = arith.remsi %a, %c5 : index
    %d = arith.subi %b, %c3 : index
    %e = arith.index_cast %d : index to i32
    %f = arith.sitofp %e : i32 to f32
    affine.store %f, %B[%m, 0, 0] : _B
    affine.for %c = 0 to _per {
      affine.for %y = 0 to _extent {
        affine.for %x = 0 to _extent {
          %i = affine.apply affine_map<(m, c, y, x) -> (((m * _per + c) * _extent + y) * _extent + x)>(%m, %c, %y, %x)
          %0 = arith.muli %i, %c5 : index
          %1 = arith.remsi %0, %c7 : index
          %2 = arith.subi %1, %c3 : index
          %3 = arith.index_cast %2 : index to i32
          %4 = arith.sitofp %3 : i32 to f32
          affine.store %4, %W[%m, %c, %y, %x] : _W
        }
      }
    }
  }
  return
}
func.func @layer(%Y: _Y {llvm.noalias}, %X: _X {llvm.noalias}, %W: _W {llvm.noalias}, %B: _B {llvm.noalias}) {
  %x = ten.pack %X : _X
  %w = ten.pack %W : _W
  %y = ten.conv %x by %w low [_pad, _pad] high [_behind, _behind] strides [_stride, _stride] dilations [1, 1] groups _groups : _TX, _TW -> _TY_finish
  ten.write %_last to %Y : _TY, _Y
  return
}
func.func @kernel(%Y: _Y {llvm.noalias}, %X: _X {llvm.noalias}, %W: _W {llvm.noalias}, %B: _B {llvm.noalias}, %repetitions: index) {
  affine.for %t = 0 to %repetitions {
    func.call @layer(%Y, %X, %W, %B) : (_Y, _X, _W, _B) -> ()
  }
  return
}
func.func @check(%Y: _Y {llvm.noalias}) -> f64 {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %a = affine.for %m = 0 to _kernels iter_args(%r = %zero) -> (f64) {
    %b = affine.for %y = 0 to _result iter_args(%s = %r) -> (f64) {
      %c = affine.for %x = 0 to _result iter_args(%t = %s) -> (f64) {
        %i = affine.apply affine_map<(m, y, x) -> ((m * _result + y) * _result + x)>(%m, %y, %x)
        %0 = arith.remsi %i, %c7 : index
        %1 = arith.addi %0, %c1 : index
        %2 = arith.index_cast %1 : index to i64
        %3 = arith.sitofp %2 : i64 to f64
        %4 = affine.load %Y[0, %m, %y, %x] : _Y
        %5 = arith.extf %4 : f32 to f64
        %6 = arith.mulf %5, %3 : f64
        %7 = arith.addf %t, %6 : f64
        affine.yield %7 : f64
      }
      affine.yield %c : f64
    }
    affine.yield %b : f64
  }
  return %a : f64
}
`

// program is that of a layer.
func (l layer) program() string {
	image, kernel, result := fmt.Sprintf("<1x%dx%dx%dxf32>", l.channels, l.image, l.image), fmt.Sprintf("<%dx%dx%dx%dxf32>", l.kernels, l.per, l.extent, l.extent), fmt.Sprintf("<1x%dx%dx%dxf32>", l.kernels, l.result(), l.result())
	bias, finish, last := fmt.Sprintf("<%dx1x1xf32>", l.kernels), "", "y"
	if l.isFinished {
		finish, last = strings.NewReplacer("_TY", "tensor"+result, "_TB", "tensor"+bias, "_B", "memref"+bias).Replace(layerFinish), "r"
	}
	list := []string{"_B", "memref" + bias, "_finish", finish, "_last", last, "_X", "memref" + image, "_W", "memref" + kernel, "_Y", "memref" + result, "_TX", "tensor" + image, "_TW", "tensor" + kernel, "_TY", "tensor" + result}
	for name, n := range map[string]int{"_channels": l.channels, "_image": l.image, "_kernels": l.kernels, "_per": l.per, "_extent": l.extent, "_result": l.result(),
		"_pad": l.pad, "_behind": l.behind, "_stride": l.stride, "_groups": l.groups} {
		list = append(list, name, strconv.Itoa(n))
	}
	return strings.NewReplacer(list...).Replace(layerProgram)
}

func (b *bench) conv2d() error { return b.ofLayers("conv2d", layers) }

func (b *bench) depthwise() error { return b.ofLayers("depthwise", depthwiseLayers) }

// ofLayers measures layers beside oneDNN, in turn, on one core.
func (b *bench) ofLayers(group string, layers []layer) error {
	exe, err := b.conv2dPeer()
	if err != nil {
		return err
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	var ratios []float64
	for _, l := range layers {
		if !strings.Contains(l.name, b.kernel) {
			continue
		}
		r, err := b.layer(e, exe, group, l)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		b.table.Add(r)
		ratios = append(ratios, r.Ratio)
	}
	if len(ratios) == 0 {
		return fmt.Errorf("no layer is %q", b.kernel)
	}
	mean := stat.GeometricMean(ratios, nil)
	b.table.Absolute(group, fmt.Sprintf("%d layers, by oneDNN", len(ratios)), "", mean, mean >= 0.8, "mean >= 0.8")
	b.table.Add(report.Row{Group: group, What: "  the slowest of them", Ratio: slices.Min(ratios)})
	return b.ctx.Err()
}

// conv2dPeer builds oneDNN's.
func (b *bench) conv2dPeer() (exe string, err error) {
	if exe, err = b.peer("conv2d.cpp", "-O2", "-ldnnl", "-lstdc++", "-lm"); err != nil {
		return "", fmt.Errorf("needs oneDNN (Debian: libdnnl-dev): %w", err)
	}
	return exe, nil
}

// layerFlops is about how many operations one measurement does.
const layerFlops = 5e9

// layer measures one.
func (b *bench) layer(e engine.Engine, exe, group string, l layer) (report.Row, error) {
	file := filepath.Join(b.dir, "layer.mlir")
	if err := os.WriteFile(file, []byte(l.program()), 0o600); err != nil {
		return report.Row{}, err
	}
	p, _, err := b.compilePoly(e, file, "")
	if err != nil {
		return report.Row{}, err
	}
	c := ir.NewContext(dialects.All...)
	o := int64(l.result())
	var args []ir.Val
	for _, shape := range [][]int64{{1, int64(l.kernels), o, o}, {1, int64(l.channels), int64(l.image), int64(l.image)}, {int64(l.kernels), int64(l.per), int64(l.extent), int64(l.extent)}, {int64(l.kernels), 1, 1}} {
		args = append(args, polybench.Zeros(c, ir.F32, shape))
	}
	repetitions := max(1, min(2000, int(layerFlops/l.flops())/max(1, 10/b.size(10))))
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(int64(repetitions), 64))...)
	if err != nil {
		return report.Row{}, err
	}
	defer bound.Close(b.ctx)
	var numbers []string
	for _, n := range []int{l.kernels, l.per, l.extent, l.channels, l.image, l.result(), l.stride, l.pad, l.groups, repetitions} {
		numbers = append(numbers, strconv.Itoa(n))
	}
	if l.isFinished {
		numbers = append(numbers, "relu")
	}
	how := ""
	both, err := inTurn(3, func() (seconds, sum float64, err error) {
		if seconds, sum, how, err = b.said([]string{"OMP_NUM_THREADS=1"}, exe, numbers...); err != nil {
			err = fmt.Errorf("oneDNN does not run: %w", err)
		}
		return seconds, sum, err
	}, func() (seconds, sum float64, err error) { return polybench.Time(b.ctx, bound) })
	if err != nil {
		return report.Row{}, err
	}
	return both.row(group, l.name+", oneDNN by "+how, l.flops()*float64(repetitions), "oneDNN", exactly), nil
}
