import javax.swing.*;

/** A button starts a worker until it has loaded something. Whoever clicks faster than it loads starts it twice. */
public class LoadTwice {
    static boolean loaded;

    public static void main(String[] args) {
        boolean fixed = args.length > 0 && args[0].equals("fixed");
        SwingUtilities.invokeLater(() -> show(fixed));
    }

    static void show(boolean fixed) {
        JFrame frame = new JFrame("Loader");
        JButton button = new JButton("Load");
        SwingWorker<String, Void> worker = new SwingWorker<>() {
            @Override
            protected String doInBackground() {
                return "loaded";
            }

            @Override
            protected void done() {
                loaded = true;
                if (fixed)
                    button.setEnabled(true);
            }
        };
        button.addActionListener(event -> {
            if (loaded)
                return;
            if (fixed)
                button.setEnabled(false);
            worker.execute();
        });
        frame.add(button);
        frame.pack();
        frame.setVisible(true);
    }
}
