import java.awt.event.*;
import javax.swing.*;

/** A hint is shown a moment after the window; closing the window disposes of it. Whoever closes at once gets the hint
 * of a window that is gone. */
public class LateDialog {
    public static void main(String[] args) {
        boolean fixed = args.length > 0 && args[0].equals("fixed");
        SwingUtilities.invokeLater(() -> show(fixed));
    }

    static void show(boolean fixed) {
        JFrame frame = new JFrame("Editor");
        JDialog hint = new JDialog(frame, "Hint", false);
        hint.add(new JLabel("Press F1"));
        Timer timer = new Timer(150, new ActionListener() {
            @Override
            public void actionPerformed(ActionEvent event) {
                hint.pack();
                hint.setVisible(true);
            }
        });
        timer.setRepeats(false);
        JButton close = new JButton("Close");
        close.addActionListener(event -> {
            if (fixed)
                timer.stop();
            hint.dispose();
        });
        frame.add(close);
        frame.pack();
        frame.setVisible(true);
        timer.start();
    }
}
