import java.io.*;
import java.util.concurrent.*;

/** One task reads a line, another closes the reader; the program hopes for their order. */
public class LateReader {
    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 0 && args[0].equals("fixed");
        ExecutorService pool = Executors.newFixedThreadPool(2);
        BufferedReader reader = new BufferedReader(new StringReader("one\ntwo\n"));
        if (fixed) {
            pool.execute(() -> {
                try {
                    reader.readLine();
                    reader.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } else {
            pool.execute(() -> {
                try {
                    reader.readLine();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Thread.sleep(300);
            pool.execute(() -> {
                try {
                    reader.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        pool.shutdown();
        pool.awaitTermination(5, TimeUnit.SECONDS);
    }
}
