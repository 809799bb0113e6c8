package tactus;

import java.awt.AWTEvent;
import java.awt.Component;
import java.awt.Container;
import java.awt.EventQueue;
import java.awt.Window;
import java.awt.event.InvocationEvent;
import java.awt.event.WindowEvent;
import java.util.ArrayList;
import java.util.EventObject;
import java.util.List;
import java.util.Random;
import javax.swing.AbstractButton;
import javax.swing.JTextField;

/** The agent's hands in AWT: names components the same way in every run, and gives them the user's events. */
final class Driver implements Runnable {
    /** An event behind all others, because asking an empty queue waits; of the event thread alone. */
    private static AWTEvent last;
    private final Component target;

    private Driver(Component target) {
        this.target = target;
    }

    /** What a component is called: its class, its name or text, and which of the equal ones it is. */
    private static String plain(Component c) {
        String text = c.getName();
        if (text == null && c instanceof AbstractButton)
            text = ((AbstractButton) c).getText();
        if (text == null && c instanceof java.awt.Dialog)
            text = ((java.awt.Dialog) c).getTitle();
        if (text == null && c instanceof java.awt.Frame)
            text = ((java.awt.Frame) c).getTitle();
        Class<?> type = c.getClass();
        while (type.getClassLoader() != null)
            type = type.getSuperclass();
        return type.getSimpleName() + (text == null ? "" : " '" + text.replace('\n', ' ') + "'");
    }

    private static void collect(Component c, List<Component> out) {
        out.add(c);
        if (c instanceof Container)
            for (Component child : ((Container) c).getComponents())
                collect(child, out);
        if (c instanceof javax.swing.JMenu)
            for (Component child : ((javax.swing.JMenu) c).getMenuComponents())
                collect(child, out);
    }

    private static List<Component> all() {
        List<Component> out = new ArrayList<>();
        for (Window window : Window.getWindows())
            if (window.isShowing())
                collect(window, out);
        return out;
    }

    static String locate(Object event) {
        Object source = event instanceof EventObject ? ((EventObject) event).getSource() : null;
        return source instanceof Component ? name((Component) source, all()) : null;
    }

    private static String name(Component c, List<Component> all) {
        String plain = plain(c);
        int which = 0;
        for (Component other : all) {
            if (plain(other).equals(plain))
                which++;
            if (other == c)
                return which > 1 ? plain + "[" + which + "]" : plain;
        }
        return plain;
    }

    private static boolean accepts(Component c) {
        return c.isEnabled() && (c instanceof AbstractButton || c instanceof JTextField);
    }

    /** Gives the user's event to the component of this name. */
    static boolean post(String locator) {
        List<Component> all = all();
        for (Component c : all)
            if ((accepts(c) || c instanceof Window) && name(c, all).equals(locator)) {
                EventQueue.invokeLater(new Driver(c));
                return true;
            }
        return false;
    }

    /** Clicks one of the components that take it; how many there were. */
    static int random(long seed) {
        List<Component> able = new ArrayList<>();
        for (Component c : all())
            if (accepts(c) && c.isShowing())
                able.add(c);
        if (!able.isEmpty())
            EventQueue.invokeLater(new Driver(able.get(new Random(seed).nextInt(able.size()))));
        return able.size();
    }

    /** The next event of the queue; null when there is none. To be called on the event thread. */
    static Object next(long unused) throws InterruptedException {
        EventQueue queue = java.awt.Toolkit.getDefaultToolkit().getSystemEventQueue();
        if (last == null) {
            last = new InvocationEvent(queue, new Driver(null));
            queue.postEvent(last);
        }
        AWTEvent event = queue.getNextEvent();
        if (event != last)
            return event;
        last = null;
        return null;
    }

    static Object queue(long unused) {
        return java.awt.Toolkit.getDefaultToolkit().getSystemEventQueue();
    }

    static boolean report(Object error) {
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, (Throwable) error);
        return true;
    }

    @Override
    public void run() {
        if (target == null)
            last = null;
        else if (target instanceof AbstractButton)
            ((AbstractButton) target).doClick(0);
        else if (target instanceof JTextField)
            ((JTextField) target).postActionEvent();
        else if (target instanceof Window)
            ((Window) target).dispatchEvent(new WindowEvent((Window) target, WindowEvent.WINDOW_CLOSING));
    }
}
