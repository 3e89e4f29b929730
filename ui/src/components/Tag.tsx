import type { ReactNode } from 'react';

import { Icon, type IconName } from './Icon';

export type TagTone = 'ok' | 'warn' | 'error' | 'info' | 'neutral';

/** A word for a state, with its color and its icon. */
export interface TagLabel {
  word: string;
  tone: TagTone;
  icon?: IconName;
}

const TONE_ICONS: Record<TagTone, IconName> = {
  ok: 'check',
  warn: 'warning',
  error: 'error',
  info: 'info',
  neutral: 'skipped',
};

interface Props {
  tone: TagTone;
  /** Without a name: the icon of the tone. */
  icon?: IconName | true | undefined;
  children: ReactNode;
}

/** A word with a meaning: the color is never the only sign of it. */
export function Tag({ tone, icon, children }: Props) {
  return (
    <span className={`tag ${tone}`}>
      {icon && <Icon name={icon === true ? TONE_ICONS[tone] : icon} />}
      {children}
    </span>
  );
}

export function WordTag({ of }: { of: TagLabel }) {
  return (
    <Tag tone={of.tone} icon={of.icon}>
      {of.word}
    </Tag>
  );
}
