import type { ReactNode } from 'react';

import { Icon, type IconName } from './Icon';

export type TagTone = 'ok' | 'warn' | 'error' | 'info' | 'neutral';

/** A word with a meaning: the color is never the only sign of it. */
export function Tag({ tone, icon, children }: { tone: TagTone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`tag ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** A word with its color and its icon, as a table of words has them. */
export function WordTag({ of }: { of: { word: string; tone: TagTone; icon?: IconName } }) {
  return (
    <Tag tone={of.tone} {...(of.icon ? { icon: of.icon } : {})}>
      {of.word}
    </Tag>
  );
}
