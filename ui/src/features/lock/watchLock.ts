import type { LockStatus } from '../../bindings/operations';
import { OperationError, type Platform } from '../../platform';

/** How often the core is asked for the lock and notified of input. */
const LOOK_MS = 5_000;
const INPUT = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** The platform as the views use it: whatever answer shows that the window is locked, or when it locks, is noticed. */
export function noticeLock(platform: Platform, onStatus: (status: LockStatus) => void): Platform {
  return {
    ...platform,
    call: async (operation, request) => {
      try {
        const answer = await platform.call(operation, request);
        if (/^(unlock|lock_)/.test(operation)) onStatus(answer as LockStatus);
        return answer;
      } catch (error) {
        // The system's sign-in fails with this code too; its caller handles that.
        const isLocked = error instanceof OperationError && error.boundary.code === 'locked';
        if (isLocked && operation !== 'unlock_with_system') {
          onStatus({ minutes: 1, locked: true, system_sign_in: false });
        }
        throw error;
      }
    },
  };
}

/** Says that the person is there as long as they are, and asks whether the window is locked. Ends with what it returns. */
export function watchInput(platform: Platform): () => void {
  let isActive = true;
  const noteInput = () => {
    isActive = true;
  };
  const look = () => {
    platform.call(isActive ? 'lock_postpone' : 'lock_status', {}).catch(() => undefined);
    isActive = false;
  };
  for (const kind of INPUT) window.addEventListener(kind, noteInput, { capture: true, passive: true });
  const timer = setInterval(look, LOOK_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
    for (const kind of INPUT) window.removeEventListener(kind, noteInput, { capture: true });
  };
}
