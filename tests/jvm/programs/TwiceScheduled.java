import java.util.*;
import java.util.concurrent.*;

/** A poll schedules the clean-up until it has run, which takes less time than from one poll to the next. Usually. */
public class TwiceScheduled {
    static volatile boolean scheduled, cleaned;
    static int polls;

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 0 && args[0].equals("fixed");
        Timer timer = new Timer(true);
        TimerTask clean = new TimerTask() {
            @Override
            public void run() {
                cleaned = true;
            }
        };
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.scheduleAtFixedRate(() -> {
            if (++polls == 3)
                pool.shutdown();
            if (fixed ? !scheduled : !cleaned) {
                scheduled = true;
                timer.schedule(clean, 1);
            }
        }, 0, 400, TimeUnit.MILLISECONDS);
    }
}
