/* Nothing but what it is linked with: the libraries that are opened late. The build reads from it
 * under which names they are found, and Debian's tools read which packages they are of. */
extern const int tac_late_libraries;
const int tac_late_libraries = 0;
