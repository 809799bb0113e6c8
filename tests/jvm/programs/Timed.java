/** Calls that are timed by the program itself: N short ones on each of some threads, and some that take a while. */
public class Timed {
    static volatile long sink;

    static class Player {
        void play(int ms) throws InterruptedException {
            Thread.sleep(ms);
        }

        int tick(int i) {
            sink += i;
            if (i % 1000 == 7)
                throw new IllegalStateException("thrown out of a timed method");
            return i;
        }
    }

    public static void main(String[] args) throws Exception {
        int calls = Integer.parseInt(args[0]), threads = Integer.parseInt(args[1]);
        Player player = new Player();
        for (int ms : new int[] {20, 35, 60, 110, 205}) {
            long from = System.nanoTime();
            player.play(ms);
            System.out.println("play " + (System.nanoTime() - from));
        }
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++)
            (all[t] = new Thread(() -> {
                Player own = new Player();
                for (int i = 0; i < calls; i++)
                    try {
                        own.tick(i);
                    } catch (IllegalStateException e) {
                        sink++;
                    }
            })).start();
        for (Thread thread : all)
            thread.join();
        System.out.println("ticks " + (long) calls * threads);
        if (args.length > 2)
            Runtime.getRuntime().halt(3);
    }
}
