import { type ReactNode, useEffect, useMemo, useState } from 'react';

import type { LockStatus } from '../../bindings/operations';
import type { Platform } from '../../platform';
import type { RememberedPlaces } from '../../workbench/rememberedPlaces';
import { LockScreen } from './LockScreen';
import { noticeLock, watchInput } from './watchLock';

interface Props {
  platform: Platform;
  children(platform: Platform, places: RememberedPlaces): ReactNode;
}

/**
 * Shows the application while the window is unlocked. Locked, nothing of it is left in the page, and in its memory only
 * which view was open at what id: one is there again afterwards.
 */
export function LockGate({ platform, children }: Props) {
  const [places] = useState<RememberedPlaces>(() => new Map());
  const [status, setStatus] = useState<LockStatus>({ minutes: 0, locked: false, system_sign_in: false });
  const watched = useMemo(
    () =>
      noticeLock(platform, (next) =>
        setStatus((old) =>
          old.locked === next.locked && old.minutes === next.minutes && old.system_sign_in === next.system_sign_in
            ? old
            : next,
        ),
      ),
    [platform],
  );
  useEffect(() => {
    watched.call('lock_status', {}).catch(() => undefined);
  }, [watched]);
  const isWatched = status.minutes > 0;
  useEffect(() => (isWatched ? watchInput(watched) : undefined), [isWatched, watched]);
  return status.locked ? (
    <LockScreen platform={watched} hasSystemSignIn={status.system_sign_in} />
  ) : (
    children(watched, places)
  );
}
