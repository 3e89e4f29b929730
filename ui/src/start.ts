import './tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/overlays.css';
import './styles/print.css';
import './features/shell/shell.css';

/** A window that is hidden or covered may get no frame: then it does not wait for one. */
const NO_FRAME_MS = 250;

/** Reads the application's scripts once the frame of index.html is on the screen: they would hold its paint up. */
function afterFirstPaint(then: () => void): void {
  let due = true;
  const once = () => {
    if (due) then();
    due = false;
  };
  setTimeout(once, NO_FRAME_MS);
  // The frame's callback comes before its paint, a task after it comes behind.
  requestAnimationFrame(() => setTimeout(once));
}

afterFirstPaint(() => void import('./main'));
