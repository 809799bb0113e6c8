/* Packets from the app's side of a link: what is read lies within them. */
#include "fuzz_target.h"
#include "network/packet.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct packet_about about;
    if (size > 65535 || !packet_read(data, (uint32_t)size, &about))
        return 0;
    if (about.protocol == PACKET_UDP) {
        if (about.payload < data || about.payload + about.payload_size > data + size)
            abort();
        uint8_t *made = malloc(about.payload_size + 28);
        struct packet_about back;
        uint32_t whole = packet_datagram(&about, made);
        if (!packet_read(made, whole, &back) || back.payload_size != about.payload_size)
            abort();
        free(made);
    }
    return 0;
}
