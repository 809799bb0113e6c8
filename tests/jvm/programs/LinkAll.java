import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** Links every class of a module, or of a jar on the class path, so that the verifier sees all of them. */
public class LinkAll {
    static int linked, failed;

    static void link(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader).getDeclaredMethods(); // links
            linked++;
        } catch (VerifyError | ClassFormatError | IncompatibleClassChangeError e) {
            failed++;
            System.out.println("FAILED " + name + ": " + String.valueOf(e).split("\n")[0]);
        } catch (Throwable e) {
            // what it refers to is not there
        }
    }

    public static void main(String[] args) throws Exception {
        boolean jar = args[0].endsWith(".jar");
        FileSystem files = jar ? FileSystems.newFileSystem(Paths.get(args[0]), (ClassLoader) null)
                               : FileSystems.getFileSystem(URI.create("jrt:/"));
        Path root = files.getPath(jar ? "/" : "/modules/" + args[0]);
        int step = args.length > 1 ? Integer.parseInt(args[1]) : 1, at = 0;
        List<Path> all;
        try (Stream<Path> walk = Files.walk(root)) {
            all = walk.filter(p -> p.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        for (Path p : all) {
            String name = root.relativize(p).toString().replace('/', '.');
            if (at++ % step == 0 && !name.endsWith("-info.class") && !name.startsWith("META-INF"))
                link(name.substring(0, name.length() - 6), ClassLoader.getSystemClassLoader());
        }
        System.out.println("linked " + linked + ", failed " + failed);
        System.exit(failed > 0 ? 1 : 0);
    }
}
