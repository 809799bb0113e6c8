#!/usr/bin/env python3
"""Writes the three traces of the music player case study beside this script.

The flow is the paper's: open the app, start playing the first song, skip to the next one, pause.
rxData is the data received by the app in kB, energy the energy of the phone in J, both counted from
the start of the test and sampled twice a second. A song is buffered at the rate the network gives;
what the network loses is sent again and counted again. That is why the loaded networks are slower
*and* receive more:

  scenario     rate kB/s  lost  what it stands for
  pedestrian   420        2 %   a walk down an urban street: normal conditions
  festival     190        24 %  an outdoor event with many attendees
  cafe         140        31 %  an Internet cafe during busy hours

Run it again and the files are the same, byte for byte.
"""
import pathlib

SCENARIOS = {"pedestrian": (420.0, 0.02, 17), "festival": (190.0, 0.24, 5), "cafe": (140.0, 0.31, 11)}
SONGS = (4300.0, 3300.0)  # kB to buffer: the first song, and what is heard of the second
STEP = 0.5


def noise(seed):
    """Numbers in [-1, 1) from a small congruential generator, the same everywhere."""
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed / 2**30 - 1


def trace(rate, lost, seed):
    jitter = noise(seed)
    t, received, energy = 0.0, 12.0, 0.0
    rows = []

    def row(event, activity):
        rows.append((t, event, activity, received, energy))

    def wait(seconds, activity, power, download=0.0):
        """Idle or play for a while; download what is left of a buffer at the network's rate."""
        nonlocal t, received, energy
        for _ in range(round(seconds / STEP)):
            t += STEP
            wanted = min(download, rate * STEP * (1 + 0.35 * next(jitter)))
            download -= wanted
            received += wanted / (1 - lost) + 0.4 + 0.3 * next(jitter)
            energy += STEP * (power + (0.55 if wanted else 0.0) + 0.05 * next(jitter))
            row("", activity)

    row("", "MusicPlayerActivity")
    wait(2, "MusicPlayerActivity", 0.7)
    row("selectSong", "MusicPlayerActivity")
    wait(1, "FullScreenPlayerActivity", 0.9)
    row("StartPlaying", "FullScreenPlayerActivity")
    wait(42, "FullScreenPlayerActivity", 1.1, SONGS[0])
    row("skipNext", "FullScreenPlayerActivity")
    wait(38, "FullScreenPlayerActivity", 1.1, SONGS[1])
    row("PausePlaying", "FullScreenPlayerActivity")
    wait(5, "FullScreenPlayerActivity", 0.7)
    return rows


def main():
    folder = pathlib.Path(__file__).resolve().parent
    for name, (rate, lost, seed) in SCENARIOS.items():
        with open(folder / f"{name}.csv", "w", newline="\n") as out:
            out.write("t,event,activity,rxData,energy\n")
            for t, event, activity, received, energy in trace(rate, lost, seed):
                out.write(f"{t:.1f},{event},{activity},{received:.1f},{energy:.3f}\n")


main()
