/* mining_generate SEED RUNS LENGTH STATES INPUTS OFFERED BUGS: runs of the simulated app as text.
 */
#include "mining/planted_app.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 8) {
        fprintf(stderr, "usage: %s SEED RUNS LENGTH STATES INPUTS OFFERED BUGS\n", argv[0]);
        return 2;
    }
    struct sim_app *app = sim_new(1, (unsigned)atoi(argv[4]), (unsigned)atoi(argv[5]),
                                  (unsigned)atoi(argv[6]), (unsigned)atoi(argv[7]));
    sim_print(app, (uint64_t)atoll(argv[1]), (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]),
              stdout);
    sim_free(app);
    return 0;
}
