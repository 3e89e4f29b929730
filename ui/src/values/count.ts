const NUMBER = new Intl.NumberFormat('en-US');

/** `4,312`. */
export const formatCount = (count: number): string => NUMBER.format(count);

/** `1 row`, `2,140 rows`; words with another plural name it. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`;
