// What each model in Stan has in common: it takes data and a point in R's form, prints the gradient there by the names of the parameters, and then the
// least seconds of one gradient. Parameters have no bounds, and nothing is transformed; constants of the density are dropped, as a sampler's.
#include <time.h>

#include <fstream>
#include <iostream>

#include MODEL
#include <stan/io/dump.hpp>
#include <stan/model/log_prob_grad.hpp>

static double now() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  std::ifstream data_file(argv[1]), point_file(argv[2]);
  stan::io::dump data(data_file), point(point_file);
  stan_model model(data, 0, nullptr);
  std::vector<int> ints;
  std::vector<double> at, slope;
  std::vector<std::string> names;
  model.transform_inits(point, ints, at, nullptr);
  model.unconstrained_param_names(names, false, false);
  int calls = atoi(argv[3]);
  stan::model::log_prob_grad<true, false>(model, at, ints, slope, nullptr);
  for (size_t i = 0; i < names.size(); i++) printf("%s %.17g\n", names[i].c_str(), slope[i]);
  double least = 1e300;
  for (int run = 0; run < 50; run++) {
    double start = now();
    for (int k = 0; k < calls; k++) stan::model::log_prob_grad<true, false>(model, at, ints, slope, nullptr);
    double t = (now() - start) / calls;
    if (t < least) least = t;
  }
  printf("seconds %.9g\n", least);
}
