const PATHS = {
  right: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5 6.5 12 13 4.5',
  warning: 'M8 2 14.5 13.5H1.5ZM8 6.5v3.2M8 11.6v.3',
  error: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 4.6v4.2M8 11v.3',
  info: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 7.2v4.2M8 4.7v.3',
  calendar: 'M2.5 3.5h11v10h-11ZM2.5 6.8h11M5.5 2v3M10.5 2v3',
  clock: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 4.5V8l2.5 1.6',
  split: 'M8 14V9L3.5 3.5M8 9l4.5-5.5M3.5 6.5v-3h3M9.5 3.5h3v3',
  unknown: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.3',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4 14 14',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  skipped: 'M3.5 8h9',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1.5v-5.5Z',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside words; it is never alone, so screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
