// A mixture's log likelihood for ADOL-C.
#include "adolc.h"

int main(int argc, char **argv) {
  const int n = 1000, d = atoi(argv[1]), K = atoi(argv[2]), below = d > 1 ? d * (d - 1) / 2 : 1, count = K + 2 * K * d + K * below;
  double *all = numbers(argv[3]), *x = all + count;
  gradient_of([=](adouble *alpha) {
    adouble *mean = alpha + K, *q = mean + K * d, *l = q + K * d, value = 0, sum = 0;
    std::vector<adouble> weight(K), e(K * d), terms(K), c(d);
    for (int k = 0; k < K; k++) {
      weight[k] = alpha[k];
      for (int j = 0; j < d; j++) weight[k] += q[k * d + j], e[k * d + j] = exp(q[k * d + j]);
    }
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < K; k++) {
        adouble square = 0, *row = l + k * below;
        for (int j = 0; j < d; j++) c[j] = x[i * d + j] - mean[k * d + j];
        for (int j = 0; j < d; row += j, j++) {
          adouble y = e[k * d + j] * c[j];
          for (int h = 0; h < j; h++) y += row[h] * c[h];
          square += y * y;
        }
        terms[k] = weight[k] - 0.5 * square;
      }
      double most = terms[0].value();
      for (int k = 1; k < K; k++) most = terms[k].value() > most ? terms[k].value() : most;
      adouble s = 0;
      for (int k = 0; k < K; k++) s += exp(terms[k] - most);
      value += log(s) + most;
    }
    for (int k = 0; k < K; k++) sum += exp(alpha[k]);
    value -= n * log(sum);
    for (int i = 0; i < K * d; i++) value += 0.5 * exp(q[i]) * exp(q[i]);
    for (int i = 0; i < K * below; i++) value += 0.5 * l[i] * l[i];
    return value;
  }, all, count, argv[4], atof(argv[5]));
}
