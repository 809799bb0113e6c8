# What the built-in phone answers to the commands of adb, of several versions of Android (no adb is needed).
python3 - <<'END'
import os, re, signal, socket, struct, subprocess, zlib

ROOT = os.environ["ROOT"]
P = "com.example.tactus.player"
COMMANDS = f"""getprop ro.build.version.release; getprop ro.build.version.sdk; getprop ro.product.model; getprop; date; date +%s
pm list packages; pm path {P}; pm list packages -3; cmd package resolve-activity --brief {P}; pm dump {P} | grep version; pm clear {P}; pm grant {P} x
am start -W -n {P}/.MusicPlayerActivity; am start -n {P}/.Nowhere; am start -a android.intent.action.MAIN -c android.intent.category.HOME; am
am start -W -n {P}/.MusicPlayerActivity; pidof {P}; pidof nobody; dumpsys activity activities; dumpsys activity activities | grep -i resumed
dumpsys activity top; dumpsys window; dumpsys window windows; dumpsys window displays; dumpsys activity lastanr; dumpsys nothing; dumpsys
uiautomator dump /sdcard/x.xml; cat /sdcard/x.xml; input tap 500 300; uiautomator dump /dev/tty; input text hello; input keyevent 4; input keyevent 24
sleep 5; input swipe 500 900 500 100; input swipe 500 100 500 900 300; input keyevent KEYCODE_ENTER; input draganddrop 10 10 300 300; input; input tap x
dumpsys battery; dumpsys batterystats --charged; dumpsys batterystats; dumpsys meminfo; dumpsys meminfo {P}; dumpsys meminfo nobody; dumpsys cpuinfo
dumpsys gfxinfo; dumpsys gfxinfo {P}; dumpsys gfxinfo {P} framestats; dumpsys gfxinfo {P} reset; dumpsys netstats; dumpsys netstats detail; dumpsys netstats --poll
dumpsys package {P}; dumpsys input_method; dumpsys media_session; dumpsys display; dumpsys power; cat /proc/net/xt_qtaguid/stats; cat /proc/stat; cat /proc/meminfo
cat /proc/uptime; cat /sys/class/power_supply/battery/current_now; cat /sys/class/power_supply/battery/voltage_now; cat /sys/class/power_supply/battery/charge_counter; cat nothing
settings get system user_rotation; settings put system user_rotation 1; settings get system user_rotation; settings put system accelerometer_rotation 0; settings
svc wifi disable; svc wifi enable; svc data disable; svc data enable; svc; cmd connectivity airplane-mode enable; cmd connectivity airplane-mode disable
am send-trim-memory {P} COMPLETE; am broadcast -a x; am force-stop {P}; pidof {P}; am kill {P}; logcat -d; logcat -d -v epoch; logcat -d -v threadtime -b crash; logcat -c
logcat -d; log -t mine -p w words; logcat -d -v year; logcat -d -v usec -t 2; setprop debug.x 1; getprop debug.x; log; monkey -p {P} 3; rm /sdcard/x.xml
cat /sdcard/x.xml; echo a  b; echo 'a  b' | grep b; grep x; exit 3; nonsense; true && echo yes; false || echo no; echo one ; echo two; wait""".replace("\n", "; ").split("; ")


def packet(command, a, b, data=b""):
    word = struct.unpack("<I", command)[0]
    return struct.pack("<6I", word, a, b, len(data), sum(data), word ^ 0xffffffff) + data


class Adb:
    def __init__(self, port):
        self.socket, self.number = socket.create_connection(("127.0.0.1", port), timeout=20), 0
        self.socket.sendall(packet(b"CNXN", 0x01000001, 1 << 20, b"host::"))
        self.greeting = self.receive()[3]

    def bytes(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def receive(self):
        command, a, b, size, _, _ = struct.unpack("<6I", self.bytes(24))
        return struct.pack("<I", command), a, b, self.bytes(size)

    def shell(self, words):
        self.number += 1
        self.socket.sendall(packet(b"OPEN", self.number, 0, b"shell:" + words.encode() + b"\0"))
        said = b""
        while True:
            command, other, _, data = self.receive()
            if command == b"CLSE":
                return said
            if command == b"WRTE":
                said += data
                self.socket.sendall(packet(b"OKAY", self.number, other))


for version in ("9", "7", "12", "15"):
    phone = subprocess.Popen(["tactus", "phone", "--adb", "0", "--android", version, f"sim:{ROOT}/examples/apps/player.json"],
                             stdout=subprocess.PIPE, text=True)
    adb = Adb(int(re.search(r":(\d+)", phone.stdout.readline())[1]))
    print(f"== Android {version}: {adb.greeting.decode('latin-1')}")
    for words in COMMANDS:
        said = adb.shell(words)
        lines = said.decode("latin-1").splitlines()
        print(f"$ {words}" if version == "9" else f"$ {words}: {zlib.crc32(said):08x}")
        if version == "9":
            print(*(line[:300] for line in lines[:60]), sep="\n")
            if len(lines) > 60 or any(len(line) > 300 for line in lines):
                print(f"... {len(lines)} lines, {zlib.crc32(said):08x}")
    phone.send_signal(signal.SIGINT)
    phone.wait(20)
    phone.stdout.close()
END
