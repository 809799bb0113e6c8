"""A private PostgreSQL server of Debian's package, in a temporary folder, on a UNIX socket only.

Root may not run it, so root starts it as the user `postgres`. Server.missing() says what is absent."""
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import tempfile
import time


def programs():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def missing():
    if not programs():
        return "PostgreSQL is not installed (Debian: postgresql)"
    if os.getuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            return "there is no user 'postgres' to run the server as"
    return None


class Server:
    """The owner is 'lab' with a password; the socket's folder is `socket`."""
    PASSWORD = "s3cret-Xq7zz"

    def __init__(self, data=None, settings=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tactus-pg-"))
        self.data = pathlib.Path(data) if data else self.folder / "data"
        self.socket = self.folder / "socket"
        self.socket.mkdir()
        self.as_user = []
        self.log = self.folder / "log"
        self.settings = list(settings)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            self.as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}",
                            "--clear-groups"]
            for path in (self.folder, self.socket):
                os.chown(path, user.pw_uid, user.pw_gid)
            if data:
                os.chown(data, user.pw_uid, user.pw_gid)
        self.folder.chmod(0o755)
        password = self.folder / "password"
        password.write_text(self.PASSWORD)
        self.run("initdb", "-D", self.data, "-U", "lab", "-E", "UTF8", "--locale=C.UTF-8",
                 "--auth-local=scram-sha-256", f"--pwfile={password}", "--no-sync")
        password.unlink()
        self.passfile = self.folder / "pgpass"
        self.passfile.write_text(f"*:*:*:lab:{self.PASSWORD}\n")
        self.passfile.chmod(0o600)
        self.environment = dict(os.environ, PGPASSFILE=str(self.passfile), TMPDIR=str(self.folder))
        self.folder.joinpath("tmp").mkdir()
        self.environment["TMPDIR"] = str(self.folder / "tmp")
        self.start()

    def run(self, program, *words, check=True):
        done = subprocess.run([*self.as_user, str(programs() / program), *map(str, words)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              cwd="/", env=dict(os.environ, LC_ALL="C"))
        if check and done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}")
        return done

    def start(self, check=True):
        options = f"-c listen_addresses= -c unix_socket_directories={self.socket} " \
            + " ".join(f"-c {setting}" for setting in self.settings)
        return self.run("pg_ctl", "-D", self.data, "-l", self.log, "-o", options, "-w", "-t", "60",
                        "start", check=check)

    def stop(self, mode="fast", check=True):
        return self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "60", "stop", check=check)

    def address(self, campaign=None, user="lab", database="postgres"):
        host = str(self.socket).replace("/", "%2F")
        return f"postgresql://{user}@{host}/{database}" + (f"#{campaign}" if campaign else "")

    def sql(self, text, user="lab", check=True):
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h",
                               self.socket, "-U", user, "-d", "postgres", "-c", text],
                              capture_output=True, text=True, env=self.environment)
        if check and done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip() if check else done

    def close(self):
        self.stop("immediate", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def wait_until(condition, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def figures(text):
    return [int(number) for number in re.findall(r"\d+", text)]
