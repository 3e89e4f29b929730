import type { Theme } from '../bindings/operations';

/** The themes, and what the command that chooses one is called. */
export const THEMES: readonly { theme: Theme; title: string; command: string }[] = [
  { theme: 'system', title: 'Use system theme', command: 'Use system theme' },
  { theme: 'light', title: 'Light', command: 'Light theme' },
  { theme: 'dark', title: 'Dark', command: 'Dark theme' },
  { theme: 'contrast', title: 'High contrast', command: 'High contrast theme' },
];
