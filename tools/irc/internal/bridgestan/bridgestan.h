/* Made by irc. The functions of BridgeStan, version 2. What gives an int gives 0, or -1 and a message, which
   bs_free_error_msg frees; *error may be left out (NULL). Functions with _R take addresses alone, for R's .C. */
#ifndef irc_bridgestan_h
#define irc_bridgestan_h

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bs_model bs_model;
typedef struct bs_rng bs_rng;

extern const int bs_major_version, bs_minor_version, bs_patch_version;

/* data: NULL or "" for those of the library, JSON of the same pattern, or the path of a file that ends with .json */
bs_model *bs_model_construct(const char *data, unsigned int seed, char **error);
void bs_model_destruct(bs_model *m);
void bs_free_error_msg(char *error);

const char *bs_name(const bs_model *m);
const char *bs_model_info(const bs_model *m);
const char *bs_param_names(const bs_model *m, bool include_tp, bool include_gq);
const char *bs_param_unc_names(const bs_model *m);
int bs_param_num(const bs_model *m, bool include_tp, bool include_gq);
int bs_param_unc_num(const bs_model *m);

int bs_param_constrain(const bs_model *m, bool include_tp, bool include_gq, const double *theta_unc, double *theta, bs_rng *rng, char **error);
int bs_param_unconstrain(const bs_model *m, const double *theta, double *theta_unc, char **error);
int bs_param_unconstrain_json(const bs_model *m, const char *json, double *theta_unc, char **error);

int bs_log_density(const bs_model *m, bool propto, bool jacobian, const double *theta_unc, double *lp, char **error);
int bs_log_density_gradient(const bs_model *m, bool propto, bool jacobian, const double *theta_unc, double *lp, double *gradient, char **error);
int bs_log_density_hessian(const bs_model *m, bool propto, bool jacobian, const double *theta_unc, double *lp, double *gradient, double *hessian, char **error);
int bs_log_density_hessian_vector_product(const bs_model *m, bool propto, bool jacobian, const double *theta_unc, const double *vector, double *lp, double *product, char **error);

bs_rng *bs_rng_construct(unsigned int seed, char **error);
void bs_rng_destruct(bs_rng *rng);
int bs_set_print_callback(void (*callback)(const char *text, unsigned long length), char **error);

#ifdef __cplusplus
}
#endif

#endif
