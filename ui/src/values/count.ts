const NUMBER = new Intl.NumberFormat('en-US');

/** `4,312`. */
export const formatCount = (count: number): string => NUMBER.format(count);

/** `1 row`, `2,140 rows`; words with another plural name it. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`;

/** `340 bytes`, `12 KB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return pluralize(bytes, 'byte');
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
