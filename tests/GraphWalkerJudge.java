// GraphWalker itself as the judge of flows: java -cp graphwalker-cli.jar GraphWalkerJudge.java walk|judge FILE ...
//
// walk FILE COUNT LENGTH SEED: that many random walks of its own, a line each: the names of the edges.
// judge FILE < flows, a line each: is every event an edge that GraphWalker finds open at that step? Prints the first
// that is not, exit 1.
import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.graphwalker.core.condition.*;
import org.graphwalker.core.generator.*;
import org.graphwalker.core.machine.*;
import org.graphwalker.core.model.*;
import org.graphwalker.io.factory.json.JsonContextFactory;

public class GraphWalkerJudge {
    static class Guided extends PathGeneratorBase<StopCondition> {
        final Iterator<String> events;
        String refused;

        Guided(Iterator<String> events) {
            this.events = events;
            setStopCondition(new Never());
        }

        @Override
        public Context getNextStep() {
            Context context = getContext();
            List<Element> open = context.filter(context.getModel().getElements(context.getCurrentElement()));
            if (context.getCurrentElement() instanceof Edge.RuntimeEdge || open.isEmpty()) {
                if (open.isEmpty()) throw new IllegalStateException("nothing is open at " + context.getCurrentElement());
                return context.setCurrentElement(open.get(0));
            }
            String wanted = events.next();
            for (Element element : open)
                if (nameOf(element).equals(wanted)) return context.setCurrentElement(element);
            throw new IllegalStateException("'" + wanted + "' is not open at " + context.getCurrentElement().getName());
        }

        @Override
        public boolean hasNextStep() {
            return true;
        }
    }

    static String nameOf(Element element) {
        return element.hasName() && !element.getName().isEmpty() ? element.getName() : element.getId();
    }

    static Context contextOf(String file) throws Exception {
        return new JsonContextFactory().create(Paths.get(file)).get(0);
    }

    static void walk(String file, int count, int length, long seed) throws Exception {
        for (int i = 0; i < count; i++) {
            SingletonRandomGenerator.setSeed(seed + i);
            Context context = contextOf(file);
            context.setPathGenerator(new RandomPath(new Length(2 * length)));
            Machine machine = new SimpleMachine(context);
            StringBuilder line = new StringBuilder();
            int events = 0;
            while (machine.hasNextStep() && events < length) {
                try {
                    machine.getNextStep();
                } catch (MachineException end) {
                    break;
                }
                Element at = machine.getCurrentContext().getCurrentElement();
                if (at instanceof Edge.RuntimeEdge && events++ >= 0) line.append(events > 1 ? " " : "").append(nameOf(at));
            }
            System.out.println(line);
        }
    }

    static int judge(String file) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int flows = 0, steps = 0;
        for (String line; (line = in.readLine()) != null; flows++) {
            List<String> events = new ArrayList<>(Arrays.asList(line.trim().split("\\s+")));
            Context context = contextOf(file);
            boolean startsAtEdge = context.getNextElement() instanceof Edge.RuntimeEdge;
            if (startsAtEdge && !nameOf(context.getNextElement()).equals(events.remove(0))) {
                System.out.println("flow " + flows + ": does not begin with " + nameOf(context.getNextElement()));
                return 1;
            }
            context.setPathGenerator(new Guided(events.iterator()));
            Machine machine = new SimpleMachine(context);
            int left = 2 * events.size() + (startsAtEdge ? 2 : 1);
            try {
                for (; left > 0; left--) machine.getNextStep();
            } catch (MachineException refused) {
                System.out.println("flow " + flows + " (" + line + "): " + refused.getCause());
                return 1;
            }
            steps += events.size();
        }
        System.out.println(flows + " flows, " + steps + " steps accepted");
        return 0;
    }

    public static void main(String[] words) throws Exception {
        ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger("ROOT")).setLevel(ch.qos.logback.classic.Level.OFF);
        if (words[0].equals("walk")) walk(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]), Long.parseLong(words[4]));
        else System.exit(judge(words[1]));
    }
}
