import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/** Calls of all kinds, and ends of all kinds. */
public class Border {
    static int ticks;

    static class Noisy extends TimerTask {
        @Override
        public void run() {
            throw new IllegalStateException("a noisy \"end\" \u00e9");
        }
    }

    static class Helper {
        void work() {
            ticks++;
        }
    }

    /** Called through a reference. */
    static void tick() {
        ticks++;
    }

    static void threads(int calls) throws Exception {
        Thread[] all = new Thread[8];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                List<Object> mine = new ArrayList<>();
                for (int n = 0; n < calls; n++)
                    mine.add(n);
            });
            all[i].start();
        }
        for (Thread thread : all)
            thread.join();
    }

    static void kinds() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(Border::tick).get();
        pool.submit(new Helper()::work).get();
        List<String> named = new ArrayList<>();
        Thread adding = new Thread(named::clear);
        adding.start();
        adding.join();
        Callable<String> text = () -> "an answer";
        pool.submit(text).get();
        List<String> list = Collections.unmodifiableList(new ArrayList<>());
        try {
            list.add("refused");
        } catch (UnsupportedOperationException e) {
            ticks++;
        }
        pool.shutdown();
    }

    static void end(String how) throws Exception {
        long pid = ProcessHandle.current().pid();
        if (how.equals("exit"))
            System.exit(3);
        else if (how.equals("halt"))
            Runtime.getRuntime().halt(4);
        else if (how.equals("uncaught"))
            throw new IllegalArgumentException("nobody catches it");
        else if (how.equals("kill") || how.equals("segv"))
            new ProcessBuilder("kill", how.equals("kill") ? "-9" : "-SEGV", "" + pid).start().waitFor();
        if (!how.equals("return"))
            Thread.sleep(60000);
    }

    public static void main(String[] args) throws Exception {
        threads(Integer.parseInt(args[1]));
        kinds();
        end(args[0]);
    }
}
