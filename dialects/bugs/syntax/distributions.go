package syntax

import "sync"

// A Distribution is a row of the table of distributions. The order of the
// arguments is that of the language; x[] is a vector and x[,] a matrix.
type Distribution struct {
	Name         string
	Aliases      []string
	Args         []string
	Min, Max     int // number of arguments; Max < 0: any number
	Discrete     bool
	Multivariate bool
	Truncatable  bool    // has a distribution function, which T(,) needs
	Dialect      Dialect // where it comes from; both dialects accept it
	Doc          string
}

// Signature is the distribution as it is called, such as dnorm(mu, tau).
func (d *Distribution) Signature() string { return signature(d.Name, d.Args, d.Min, d.Max) }

// classes of rows
const (
	scalarC = "c"  // continuous scalar
	scalarD = "d"  // discrete scalar
	odd     = "o"  // scalar, continuous, without a distribution function
	oddD    = "od" // scalar, discrete, without a distribution function
	multiC  = "m"  // continuous vector or matrix
	multiD  = "md" // discrete vector
)

// Distributions returns the table of distributions, in the order of the manual.
var Distributions = sync.OnceValue(func() []*Distribution {
	return []*Distribution{
		dist("dnorm", "mu tau", scalarC, Both, "normal with mean mu and precision tau"),
		dist("dlnorm", "mu tau", scalarC, Both, "log x is normal with mean mu and precision tau"),
		dist("dt", "mu tau k", scalarC, Both, "Student with k degrees of freedom, centre mu, inverse squared scale tau"),
		dist("dnt", "mu tau k", scalarC, JAGS, "noncentral Student: Z / sqrt(V/k), Z normal(mu, tau), V chi-square(k)"),
		dist("dlogis", "mu tau", scalarC, Both, "logistic with centre mu and inverse scale tau"),
		dist("ddexp", "mu tau", scalarC, Both, "double exponential (Laplace) with centre mu and rate tau"),
		dist("dgamma", "r lambda", scalarC, Both, "gamma with shape r and rate lambda"),
		dist("dexp", "lambda", scalarC, Both, "exponential with rate lambda"),
		dist("dchisqr dchisq", "k", scalarC, Both, "chi-square with k degrees of freedom"),
		dist("dnchisqr dnchisq", "k delta", scalarC, JAGS, "noncentral chi-square"),
		dist("dweib dweibull", "v lambda", scalarC, Both, "Weibull: v lambda x^(v-1) exp(-lambda x^v)"),
		dist("dgen.gamma dggamma", "r lambda b", scalarC, Both, "generalised gamma: (lambda x)^b is gamma(r, 1)"),
		dist("df", "n m [mu] [tau]", scalarC, Both, "Fisher with n and m degrees of freedom; mu and tau shift and scale (OpenBUGS)"),
		dist("dbeta", "a b", scalarC, Both, "beta on (0, 1)"),
		dist("dunif", "a b", scalarC, Both, "uniform on [a, b]"),
		dist("dpar", "alpha c", scalarC, Both, "Pareto: alpha c^alpha x^(-alpha-1), x >= c"),
		dist("dgev", "mu sigma eta", scalarC, BUGS, "generalised extreme value"),
		dist("dgpar", "mu sigma eta", scalarC, BUGS, "generalised Pareto, x >= mu"),
		dist("dscaled.gamma", "s df", scalarC, JAGS, "precision whose x^(-1/2) is half-t with df degrees of freedom and scale s"),
		dist("dflat", "", odd, BUGS, "improper; its log density is 0"),
		dist("dloglik", "p", odd, BUGS, "its log density is p, whatever x"),
		dist("dbern", "p", scalarD, Both, "1 with probability p, else 0"),
		dist("dbin dbinom", "p n", scalarD, Both, "binomial: probability first, then size"),
		dist("dpois", "lambda", scalarD, Both, "Poisson with mean lambda"),
		dist("dnegbin dnbinom", "p r", scalarD, Both, "negative binomial: failures before the r-th success"),
		dist("dgeom", "p", scalarD, BUGS, "geometric from 1"),
		dist("dgeom0", "p", scalarD, BUGS, "geometric from 0"),
		dist("dbetabin dbetabinom", "a b n", scalarD, Both, "beta-binomial of size n"),
		dist("dhyper", "n1 n2 m1 psi", scalarD, Both, "Fisher's noncentral hypergeometric"),
		dist("dcat", "p[]", scalarD, Both, "1..K with probabilities proportional to p"),
		dist("dordered.logit", "mu cut[]", oddD, JAGS, "P(x <= k) = ilogit(cut[k] - mu)"),
		dist("dordered.probit", "mu cut[]", oddD, JAGS, "P(x <= k) = phi(cut[k] - mu)"),
		dist("dnormmix", "mu[] tau[] p[]", odd, JAGS, "mixture of normals with weights p"),
		dist("dpick", "p a b", odd, JAGS, "a with probability p, else b"),
		dist("dinterval", "t c[]", oddD, JAGS, "log density 0 if x is the number of c below t"),
		dist("dround", "t digits", odd, JAGS, "log density 0 if x is t rounded to digits"),
		dist("dsum", "x...", odd, JAGS, "log density 0 if x is the sum"),
		dist("dmulti dmultinom", "p[] n", multiD, Both, "multinomial of size n with probabilities proportional to p"),
		dist("ddirch ddirich", "alpha[]", multiC, Both, "Dirichlet; components with alpha = 0 are 0"),
		dist("dmnorm", "mu[] Omega[,]", multiC, Both, "multivariate normal with precision matrix Omega"),
		dist("dmnorm.vcov", "mu[] Sigma[,]", multiC, JAGS, "multivariate normal with covariance matrix Sigma"),
		dist("dmt", "mu[] Omega[,] k", multiC, Both, "multivariate Student with k degrees of freedom"),
		dist("dwish", "R[,] k", multiC, Both, "Wishart: |X|^((k-p-1)/2) exp(-tr(R X)/2), mean k inverse(R)"),
		dist("dscaled.wishart", "s[] df", multiC, JAGS, "precision matrix whose standard deviations are half-t(df, s[i])"),
		dist("dsample", "p[] K", multiD, JAGS, "K of the indicators drawn without replacement with weights p"),
	}
})

// dist makes a row; names holds the name and its aliases, args the arguments.
func dist(names, args, class string, dialect Dialect, doc string) *Distribution {
	n := fields(names)
	a, least, most := arguments(args)
	return &Distribution{Name: n[0], Aliases: n[1:], Args: a, Min: least, Max: most,
		Discrete:     class == scalarD || class == oddD || class == multiD,
		Multivariate: class == multiC || class == multiD,
		Truncatable:  class == scalarC || class == scalarD,
		Dialect:      dialect, Doc: doc}
}
