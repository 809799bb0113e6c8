/* See namespace.h. Devices are set up with the classic ioctls, the gateway's one unusual route (all
 * addresses are local, below the link's own) over rtnetlink. */
#include "network/namespace.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/route.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MTU = 1500, QUEUE = 4000, MOST_FDS = 3 };
static const char device_name[] = "tactus0";

/* What a maker says: 0 and descriptors, or the step that failed. */
struct maker_word {
    int error;
    int count;
    char step[64];
};

/* --- descriptors over a socket --- */

static bool send_word(int to, const struct maker_word *word, const int *fds)
{
    union {
        char bytes[CMSG_SPACE(MOST_FDS * sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct iovec text = {(void *)word, sizeof *word};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (word->count) {
        size_t size = (size_t)word->count * sizeof(int);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(size), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), fds, size);
    }
    return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *word;
}

static bool receive_word(int from, struct maker_word *word, int *fds)
{
    union {
        char bytes[CMSG_SPACE(MOST_FDS * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec text = {word, sizeof *word};
    struct msghdr message = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t size;
    do
        size = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    const struct cmsghdr *header = size == (ssize_t)sizeof *word ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return size == (ssize_t)sizeof *word;
}

/* --- inside: what a maker does --- */

static bool write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return done;
}

/* Who has no rights on the host has them in a user namespace, where everybody stays who he is. */
static const char *leave_host(bool own_user)
{
    char map[64];
    unsigned uid = geteuid(), gid = getegid();
    if (unshare((own_user ? CLONE_NEWUSER : 0) | CLONE_NEWNET))
        return "unshare";
    if (!own_user)
        return NULL;
    snprintf(map, sizeof map, "%u %u 1\n", uid, uid);
    if (!write_file("/proc/self/setgroups", "deny") || !write_file("/proc/self/uid_map", map))
        return "map the user";
    snprintf(map, sizeof map, "%u %u 1\n", gid, gid);
    return write_file("/proc/self/gid_map", map) ? NULL : "map the group";
}

static bool set_flags_up(int control, const char *name)
{
    struct ifreq request = {0};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (ioctl(control, SIOCGIFFLAGS, &request))
        return false;
    request.ifr_flags = (short)(request.ifr_flags | IFF_UP | IFF_RUNNING);
    return !ioctl(control, SIOCSIFFLAGS, &request);
}

static bool set_address(int control, unsigned long what, uint32_t address)
{
    struct ifreq request = {0};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device_name);
    memcpy(&request.ifr_addr, &to, sizeof to);
    return !ioctl(control, what, &request);
}

static bool set_mtu(int control)
{
    struct ifreq request = {.ifr_mtu = MTU};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device_name);
    return !ioctl(control, SIOCSIFMTU, &request);
}

static bool default_route(int control, uint32_t gateway)
{
    struct rtentry route = {.rt_flags = RTF_UP | RTF_GATEWAY};
    struct sockaddr_in any = {.sin_family = AF_INET},
                       through = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(gateway)};
    memcpy(&route.rt_dst, &any, sizeof any);
    memcpy(&route.rt_genmask, &any, sizeof any);
    memcpy(&route.rt_gateway, &through, sizeof through);
    return !ioctl(control, SIOCADDRT, &route);
}

/* Sends a request to the kernel's routing part and takes its acknowledgement. */
static bool ask_kernel(const void *request, size_t size)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[256];
    } answer = {0};
    int routes = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    bool done = routes >= 0 && send(routes, request, size, 0) > 0 &&
                recv(routes, &answer, sizeof answer, 0) > 0 &&
                answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error == 0;
    if (routes >= 0 && !done && answer.error.error)
        errno = -answer.error.error;
    if (routes >= 0)
        close(routes);
    return done;
}

/* ip route add local 0.0.0.0/0 dev lo table main: behind the link's own network every address is
 * this machine. */
static bool take_all_addresses(void)
{
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr attribute;
        uint32_t out;
    } request = {.header = {.nlmsg_len = sizeof request,
                            .nlmsg_type = RTM_NEWROUTE,
                            .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK},
                 .route = {.rtm_family = AF_INET,
                           .rtm_table = RT_TABLE_MAIN,
                           .rtm_protocol = RTPROT_STATIC,
                           .rtm_scope = RT_SCOPE_HOST,
                           .rtm_type = RTN_LOCAL},
                 .attribute = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = RTA_OIF},
                 .out = if_nametoindex("lo")};
    return ask_kernel(&request, sizeof request);
}

/* The queue of the device. The ioctl for it asks for rights on the host, which a user has not in a
 * namespace of his own; this way asks for rights in the namespace. */
static bool set_queue(uint32_t packets)
{
    struct {
        struct nlmsghdr header;
        struct ifinfomsg device;
        struct rtattr attribute;
        uint32_t length;
    } request = {.header = {.nlmsg_len = sizeof request,
                            .nlmsg_type = RTM_NEWLINK,
                            .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
                 .device = {.ifi_family = AF_UNSPEC, .ifi_index = (int)if_nametoindex(device_name)},
                 .attribute = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = IFLA_TXQLEN},
                 .length = packets};
    return ask_kernel(&request, sizeof request);
}

static const char *open_tun(int *tun)
{
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    *tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (*tun < 0)
        return "open /dev/net/tun";
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device_name);
    return ioctl(*tun, TUNSETIFF, &request) ? "make a TUN device" : NULL;
}

static const char *set_up_device(uint32_t address, uint32_t peer, bool gateway)
{
    int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const char *failed = NULL;
    write_file("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1"); /* the link carries IPv4 */
    if (control < 0 || !set_flags_up(control, "lo"))
        failed = "set up the loopback";
    else if (!set_address(control, SIOCSIFADDR, address) ||
             !set_address(control, SIOCSIFNETMASK, 0xfffffffc) || !set_mtu(control) ||
             !set_queue(QUEUE) || !set_flags_up(control, device_name))
        failed = "set up the TUN device";
    else if (gateway ? !take_all_addresses() : !default_route(control, peer))
        failed = "set the route";
    if (control >= 0) {
        int error = errno;
        close(control);
        errno = error;
    }
    return failed;
}

/* The keeper: a port comes, a descriptor goes; until the other end is closed. */
static void keep(int end)
{
    uint16_t port;
    while (recv(end, &port, sizeof port, 0) == (ssize_t)sizeof port) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
        int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        struct maker_word word = {.count = 1};
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) ||
            listen(listener, 1024))
            word = (struct maker_word){.error = errno ? errno : EIO};
        if (!send_word(end, &word, &listener))
            break;
        if (listener >= 0)
            close(listener);
    }
}

/* Ends with its parent; nothing of the parent's stays open but one descriptor. */
static void become_child(pid_t parent, int kept)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_IGN); /* the parent decides when to end */
    signal(SIGTERM, SIG_DFL);
    if (kept > 3)
        close_range(3, (unsigned)kept - 1, 0);
    close_range((unsigned)kept + 1, ~0u, 0);
}

static void make(int end, uint32_t address, uint32_t peer, bool gateway)
{
    struct maker_word word = {0};
    int fds[MOST_FDS] = {-1, -1, -1};
    bool own_user = geteuid() != 0;
    const char *failed = leave_host(own_user);
    if (!failed)
        failed = open_tun(&fds[0]);
    if (!failed)
        failed = set_up_device(address, peer, gateway);
    if (!failed) {
        fds[1] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
        fds[2] = own_user ? open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC) : -1;
        if (fds[1] < 0 || (own_user && fds[2] < 0))
            failed = "open the namespace";
    }
    word.error = failed ? (errno ? errno : EIO) : 0;
    word.count = failed ? 0 : own_user ? 3 : 2;
    snprintf(word.step, sizeof word.step, "%s", failed ? failed : "");
    bool told = send_word(end, &word, fds);
    if (fds[0] >= 0)
        close(fds[0]); /* only the link holds it: the device ends with the link */
    if (told && gateway && !failed)
        keep(end);
    _exit(0);
}

/* --- outside --- */

static tac_status explain(const struct maker_word *word, tac_error *err)
{
    const char *remedy;
    if (!strncmp(word->step, "open /dev", 9))
        remedy = word->error == ENOENT || word->error == ENODEV
                     ? "the kernel has no TUN devices: load the module 'tun'"
                     : "this user may not use TUN devices: run as root, or let users open "
                       "/dev/net/tun (chmod 666 /dev/net/tun, the default of Debian)";
    else if (!strcmp(word->step, "unshare") || !strncmp(word->step, "map", 3))
        remedy = "this user may not make namespaces: run as root, or allow user namespaces "
                 "(sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0); "
                 "in a container, give it the capability SYS_ADMIN";
    else
        remedy = "run as root, or in a container with the capabilities NET_ADMIN and SYS_ADMIN "
                 "and the device /dev/net/tun";
    return tac_fail(err, TAC_E_MISSING,
                    "a network of the app's own cannot be made (%s: %s); %s; or do without a "
                    "network scenario",
                    word->step, strerror(word->error), remedy);
}

tac_status name_space_make(uint32_t address, uint32_t peer, bool gateway, struct name_space *out,
                           tac_error *err)
{
    int ends[2], fds[MOST_FDS] = {-1, -1, -1};
    struct maker_word word;
    pid_t parent = getpid();
    *out = (struct name_space){.tun = -1, .net = -1, .user = -1, .keeper_end = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return tac_fail_errno(err, errno, NULL, "cannot make a network");
    pid_t child = fork();
    if (child == 0) {
        become_child(parent, ends[1]);
        make(ends[1], address, peer, gateway);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return tac_fail_errno(err, errno, NULL, "cannot make a network");
    }
    bool told = receive_word(ends[0], &word, fds);
    bool made = told && !word.error;
    *out = (struct name_space){.tun = fds[0],
                               .net = fds[1],
                               .user = fds[2],
                               .keeper = made && gateway ? child : 0,
                               .keeper_end = made && gateway ? ends[0] : -1};
    if (!out->keeper) {
        close(ends[0]);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (made)
        return TAC_OK;
    return told ? explain(&word, err)
                : tac_fail(err, TAC_E_MISSING,
                           "a network of the app's own cannot be made: its process ended");
}

void name_space_free(struct name_space *space)
{
    int *const fds[] = {&space->tun, &space->net, &space->user, &space->keeper_end};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
    if (space->keeper > 0) {
        kill(space->keeper, SIGKILL);
        while (waitpid(space->keeper, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    space->keeper = 0;
}

bool name_space_enter(const struct name_space *space)
{
    return (space->user < 0 || !setns(space->user, CLONE_NEWUSER)) &&
           !setns(space->net, CLONE_NEWNET);
}

int name_space_socket(const struct name_space *space)
{
    int ends[2], made = -1;
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        struct maker_word word = {.count = 1};
        int fd = name_space_enter(space) ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
        if (fd < 0)
            word = (struct maker_word){.error = errno};
        send_word(ends[1], &word, &fd);
        _exit(0);
    }
    close(ends[1]);
    struct maker_word word = {.error = errno};
    if (child > 0 && !receive_word(ends[0], &word, &made))
        word.error = EIO;
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    errno = word.error;
    return made;
}

int name_space_listen(int end, uint16_t port)
{
    int listener = -1;
    struct maker_word word;
    if (send(end, &port, sizeof port, MSG_NOSIGNAL) != (ssize_t)sizeof port ||
        !receive_word(end, &word, &listener))
        return -1;
    return listener;
}

/* Again until nobody is left: processes may start others meanwhile. */
void name_space_clear(uint64_t number)
{
    bool found = true;
    for (int round = 0; found && round < 20; round++) {
        DIR *processes = opendir("/proc");
        found = false;
        for (struct dirent *entry; processes && (entry = readdir(processes));) {
            char path[64];
            struct stat about;
            pid_t pid = (pid_t)atol(entry->d_name);
            snprintf(path, sizeof path, "/proc/%.20s/ns/net", entry->d_name);
            if (pid > 1 && pid != getpid() && !stat(path, &about) && about.st_ino == number) {
                kill(pid, SIGKILL);
                found = true;
            }
        }
        if (processes)
            closedir(processes);
        if (found)
            usleep(5000);
    }
}
