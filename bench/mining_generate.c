/* mining_generate SEED RUNS LENGTH STATES INPUTS OFFERED BUGS [APP [RELIABILITY STRAY]]: runs of
 * the simulated app as text. APP is the seed of the app itself, the last two are sim_noise's. */
#include "mining/planted_app.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 8 && argc != 9 && argc != 11) {
        fprintf(stderr,
                "usage: %s SEED RUNS LENGTH STATES INPUTS OFFERED BUGS [APP [RELIABILITY STRAY]]\n",
                argv[0]);
        return 2;
    }
    struct sim_app *app =
        sim_new(argc > 8 ? (uint64_t)atoll(argv[8]) : 1, (unsigned)atoi(argv[4]),
                (unsigned)atoi(argv[5]), (unsigned)atoi(argv[6]), (unsigned)atoi(argv[7]));
    if (argc > 10)
        sim_noise(app, atof(argv[9]), atof(argv[10]));
    sim_print(app, (uint64_t)atoll(argv[1]), (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]),
              stdout);
    sim_free(app);
    return 0;
}
