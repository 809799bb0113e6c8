import java.util.*;
import java.util.concurrent.*;

/** A list of visitors is greeted one per task, so that the queue stays free for others; somebody who comes late is
 * added to the list. He comes when all have been greeted. Usually. */
public class Visitors {
    static final List<String> visitors = new ArrayList<>(List.of("Ada", "Grace"));
    static final CountDownLatch over = new CountDownLatch(2);
    static final ScheduledExecutorService queue = Executors.newScheduledThreadPool(1, work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    });

    static class Greeting implements Runnable {
        private final Iterator<String> rest;

        Greeting(Iterator<String> rest) {
            this.rest = rest;
        }

        @Override
        public void run() {
            if (rest.hasNext()) {
                System.out.println("Hello " + rest.next());
                queue.execute(new Greeting(rest));
            } else {
                over.countDown();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 0 && args[0].equals("fixed");
        List<String> greeted = fixed ? new ArrayList<>(visitors) : visitors;
        queue.execute(new Greeting(greeted.iterator()));
        queue.schedule(() -> {
            visitors.add("Edsger");
            over.countDown();
        }, 400, TimeUnit.MILLISECONDS);
        over.await();
    }
}
