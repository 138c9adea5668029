// Every op of special, in the custom form.
func.func @functions(%x: f64, %v: vector<2xf32>, %i: i1, %n: index) {
  %0 = special.lgamma %x : f64
  %1 = special.lgamma %v : vector<2xf32>
  %2 = special.digamma %x : f64
  %3 = special.digamma %v : vector<2xf32>
  %4 = special.logfact %x : f64
  %5 = special.logfact %v : vector<2xf32>
  %6 = special.erfc %x : f64
  %7 = special.erfc %v : vector<2xf32>
  %8 = special.phi %x : f64
  %9 = special.phi %v : vector<2xf32>
  %10 = special.log_phi %x : f64
  %11 = special.log_phi %v : vector<2xf32>
  %12 = special.probit %x : f64
  %13 = special.probit %v : vector<2xf32>
  %14 = special.log1mexp %x : f64
  %15 = special.log1mexp %v : vector<2xf32>
  %16 = special.log1pexp %x : f64
  %17 = special.log1pexp %v : vector<2xf32>
  %18 = special.logit %x : f64
  %19 = special.logit %v : vector<2xf32>
  %20 = special.ilogit %x : f64
  %21 = special.ilogit %v : vector<2xf32>
  %22 = special.cloglog %x : f64
  %23 = special.cloglog %v : vector<2xf32>
  %24 = special.icloglog %x : f64
  %25 = special.icloglog %v : vector<2xf32>
  %26 = special.step %x : f64
  %27 = special.step %v : vector<2xf32>
  %28 = special.xlogy %x, %x : f64
  %29 = special.xlog1py %x, %x : f64
  %30 = special.lbeta %x, %x : f64
  %31 = special.lchoose %x, %x : f64
  %32 = special.gammainc %x, %x : f64
  %33 = special.gammaincc %x, %x : f64
  %34 = special.gammaincinv %x, %x : f64
  %35 = special.betainc %x, %x, %x : f64
  %36 = special.betaincinv %x, %x, %x : f64
  %37 = special.trigamma %x : f64
  %38 = special.trigamma %v : vector<2xf32>
  special.print %x, %i, %n : f64, i1, index
  special.print
  return
}
