import java.util.concurrent.*;

/** A task hands on another task; the program shuts the executor down when it believes that all is done. */
public class Executor {
    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 0 && args[0].equals("fixed");
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch ready = new CountDownLatch(2);
        pool.submit(() -> {
            pool.submit(() -> ready.countDown());
            ready.countDown();
        });
        if (fixed)
            ready.await();
        else
            Thread.sleep(300);
        pool.shutdown();
    }
}
