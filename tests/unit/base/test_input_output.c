/* Reading plain, gzip, xz and zstd files and files alone in a zip archive line by line; writing
 * whole files or none. */
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/process/process.h"
#include "tactus_test.h"
#include <dirent.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zip.h>
#include <zstd.h>

static void check_lines(const char *path)
{
    tac_input *input;
    tac_error err;
    char *line;
    size_t length;
    REQUIRE(tac_input_open(path, &input, &err) == TAC_OK);
    CHECK_EQ(tac_input_line(input, 100, &line, &length, &err), TAC_OK);
    CHECK_STR(line, "first");
    CHECK_EQ(tac_input_line(input, 100, &line, &length, &err), TAC_OK);
    CHECK_STR(line, "");
    CHECK_EQ(tac_input_line(input, 100, &line, &length, &err), TAC_OK);
    CHECK_STR(line, "last");
    CHECK_EQ(tac_input_line_number(input), 3);
    CHECK_EQ(tac_input_line(input, 100, &line, &length, &err), TAC_OK);
    CHECK(!line);
    tac_input_close(input);
}

static bool compress_with(const char *program, const char *path)
{
    char *output;
    size_t size;
    int code;
    tac_error err;
    const char *const argv[] = {program, "-kf", path, NULL};
    if (tac_process_run(argv, "xz-utils", "", 0, 10, &output, &size, &code, &err) != TAC_OK)
        return false;
    free(output);
    return code == 0;
}

TEST(lines_of_plain_gzip_and_xz)
{
    const char *path = test_write("lines", "first\r\n\nlast");
    check_lines(path);
    REQUIRE(compress_with("gzip", path));
    check_lines(test_temporary("lines.gz"));
    if (!tac_process_on_path("xz"))
        SKIP("xz is not installed");
    REQUIRE(compress_with("xz", path));
    check_lines(test_temporary("lines.xz"));
}

/* A zip archive of these entries, "NAME" with the text. */
static const char *write_zip(const char *name, const char *const *entries, const char *text)
{
    const char *path = test_temporary(name);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    for (size_t i = 0; zip && entries[i]; i++)
        zip_file_add(zip, entries[i], zip_source_buffer(zip, text, strlen(text), 0), 0);
    CHECK(zip && zip_close(zip) == 0);
    return path;
}

TEST(lines_of_zstd)
{
    const char text[] = "first\r\n\nlast";
    char packed[200];
    size_t half =
        ZSTD_compress(packed, sizeof packed, text, 9, 3); /* two frames, one after the other */
    size_t size =
        half + ZSTD_compress(packed + half, sizeof packed - half, text + 9, sizeof text - 1 - 9, 3);
    char *data;
    size_t length;
    tac_error err;
    REQUIRE(!ZSTD_isError(half) && size < sizeof packed);
    REQUIRE(tac_output_write_file(test_temporary("lines.zst"), packed, size, &err) == TAC_OK);
    check_lines(test_temporary("lines.zst"));
    REQUIRE(truncate(test_temporary("lines.zst"), (off_t)size - 2) == 0);
    CHECK_EQ(tac_input_slurp(test_temporary("lines.zst"), 100, &data, &length, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "cut short");
}

TEST(a_file_alone_in_a_zip_archive_is_read_as_itself)
{
    const char *const alone[] = {"folder/lines.log", "__MACOSX/folder/._lines.log", NULL};
    const char *const two[] = {"lines.log", "other.log", NULL};
    const char *const report[] = {"bugreport.txt", NULL};
    check_lines(write_zip("alone.zip", alone, "first\r\n\nlast"));
    const char *const *others[] = {two, report};
    for (size_t i = 0; i < 2; i++) { /* left as they are: their reader says what it makes of them */
        char *data;
        size_t size;
        tac_error err;
        REQUIRE(tac_input_slurp(write_zip("others.zip", others[i], "text"), 10000, &data, &size,
                                &err) == TAC_OK);
        CHECK(size > 4 && !memcmp(data, "PK\3\4", 4));
        free(data);
    }
}

TEST(a_cut_gzip_file_is_an_error)
{
    const char *path = test_write("long", "");
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 100000; i++)
        fprintf(file, "%d\n", i * 7919);
    fclose(file);
    REQUIRE(compress_with("gzip", path));
    REQUIRE(truncate(test_temporary("long.gz"), 1000) == 0);
    char *data;
    size_t size;
    tac_error err;
    CHECK_EQ(tac_input_slurp(test_temporary("long.gz"), 1 << 24, &data, &size, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "cut short");
}

TEST(caps_on_line_and_file)
{
    const char *path = test_write("wide", "short\n0123456789\n");
    tac_input *input;
    tac_error err;
    char *line, *data;
    size_t length, size;
    REQUIRE(tac_input_open(path, &input, &err) == TAC_OK);
    CHECK_EQ(tac_input_line(input, 9, &line, &length, &err), TAC_OK);
    CHECK_EQ(tac_input_line(input, 9, &line, &length, &err), TAC_E_LIMIT);
    CHECK_EQ(err.line, 2);
    tac_input_close(input);
    CHECK_EQ(tac_input_slurp(path, 16, &data, &size, &err), TAC_E_LIMIT);
    CHECK_EQ(tac_input_slurp(path, 17, &data, &size, &err), TAC_OK);
    CHECK_EQ(size, 17);
    free(data);
}

TEST(missing_files_and_folders_are_named)
{
    tac_input *input;
    tac_error err;
    CHECK_EQ(tac_input_open("/nonexistent/x", &input, &err), TAC_E_IO);
    CHECK_STR(err.file, "/nonexistent/x");
    CHECK_EQ(tac_input_open("/tmp", &input, &err), TAC_E_IO);
    CHECK_CONTAINS(err.message, "directory");
}

TEST(output_appears_only_on_commit)
{
    const char *path = test_temporary("target");
    tac_output output;
    tac_error err;
    REQUIRE(tac_output_open(&output, path, &err) == TAC_OK);
    fputs("half", output.file);
    tac_output_abort(&output);
    CHECK(access(path, F_OK) != 0);
    CHECK_EQ(tac_output_write_file(path, "whole\n", 6, &err), TAC_OK);
    char *data;
    size_t size;
    REQUIRE(tac_input_slurp(path, 100, &data, &size, &err) == TAC_OK);
    CHECK_STR(data, "whole\n");
    free(data);
    struct stat about;
    REQUIRE(stat(path, &about) == 0);
    mode_t mask = umask(0);
    umask(mask);
    CHECK_EQ(about.st_mode & 0777, 0666 & ~mask);
}

TEST(an_end_by_a_signal_removes_what_is_open_here)
{
    tac_error err;
    tac_output mine, other;
    const char *path = test_temporary("cut");
    REQUIRE(tac_output_open(&mine, path, &err) == TAC_OK);
    REQUIRE(tac_output_open(&other, path, &err) == TAC_OK);
    pid_t child = fork();
    if (child == 0) { /* a forked child leaves its parent's files alone */
        tac_output_remove_temporaries();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    if (mine.temporary) /* where files have to have names while they are written */
        CHECK_EQ(access(mine.temporary, F_OK), 0);
    CHECK(tac_output_commit(&other, &err) == TAC_OK);
    tac_output_remove_temporaries();
    if (mine.temporary)
        CHECK(access(mine.temporary, F_OK) != 0);
    CHECK_EQ(access(path, F_OK), 0); /* what was finished stays */
    tac_output_abort(&mine);
}

TEST(output_is_a_redirection_a_link_is_followed_and_the_mode_stays)
{
    tac_error err;
    const char *folder = test_temporary("links");
    char target[300], link[300], dangling[300], made[300];
    snprintf(target, sizeof target, "%s/target", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(dangling, sizeof dangling, "%s/dangling", folder);
    snprintf(made, sizeof made, "%s/made", folder);
    REQUIRE(mkdir(folder, 0777) == 0);
    REQUIRE(tac_output_write_file(target, "old", 3, &err) == TAC_OK);
    REQUIRE(chmod(target, 0600) == 0 && symlink("target", link) == 0);
    REQUIRE(symlink("made", dangling) == 0);
    CHECK_EQ(tac_output_write_file(link, "new", 3, &err), TAC_OK);
    CHECK_EQ(tac_output_write_file(dangling, "new", 3, &err), TAC_OK);
    struct stat about;
    REQUIRE(lstat(link, &about) == 0);
    CHECK(S_ISLNK(about.st_mode));
    REQUIRE(lstat(dangling, &about) == 0);
    CHECK(S_ISLNK(about.st_mode));
    REQUIRE(lstat(target, &about) == 0);
    CHECK(S_ISREG(about.st_mode));
    CHECK_EQ(about.st_mode & 0777, 0600);
    CHECK_EQ(about.st_size, 3);
    CHECK_EQ(access(made, F_OK), 0);
    DIR *entries = opendir(folder);
    size_t count = 0;
    while (readdir(entries))
        count++;
    closedir(entries);
    CHECK_EQ(count, 6); /* ., .., and the four: no file is left beside them */
}

TEST(trying_an_output_leaves_nothing)
{
    tac_error err;
    const char *path = test_temporary("tried");
    CHECK_EQ(tac_output_try(path, &err), TAC_OK);
    CHECK(access(path, F_OK) != 0);
    CHECK_EQ(tac_output_try("/nonexistent/x", &err), TAC_E_IO);
    CHECK_EQ(tac_output_try("/tmp", &err), TAC_E_IO);
    CHECK_EQ(tac_output_try(NULL, &err), TAC_OK);
}

TEST(a_full_disk_is_reported)
{
    tac_error err;
    CHECK_EQ(tac_output_write_file("/dev/full", "x", 1, &err), TAC_E_IO);
    CHECK_CONTAINS(err.message, "No space left");
    CHECK_EQ(tac_output_write_file("/nonexistent/x", "x", 1, &err), TAC_E_IO);
}

/* In a mount namespace of its own, with nothing at /proc; 2 where the system does not allow that.
 */
static int write_without_proc(const char *path)
{
    tac_output output;
    tac_error err;
    if (unshare(CLONE_NEWNS | (geteuid() ? CLONE_NEWUSER : 0)) ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("none", "/proc", "tmpfs", 0, NULL))
        return 2;
    if (tac_output_open(&output, path, &err) != TAC_OK)
        return 1;
    fputs("whole", output.file);
    return tac_output_commit(&output, &err) != TAC_OK;
}

TEST(files_are_written_where_proc_is_not_mounted)
{
    const char *path = test_temporary("without-proc");
    pid_t child = fork();
    int state = 0;
    REQUIRE(child >= 0);
    if (!child)
        _exit(write_without_proc(path));
    waitpid(child, &state, 0);
    REQUIRE(WIFEXITED(state));
    if (WEXITSTATUS(state) == 2)
        SKIP("no mount namespace can be made here");
    CHECK_EQ(WEXITSTATUS(state), 0);
    CHECK(!access(path, R_OK));
}
