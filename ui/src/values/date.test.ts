import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import {
  addDays,
  explainInvalidDate,
  formatDate,
  formatLongDate,
  formatServiceText,
  formatTime,
  formatTimestamp,
  formatWhen,
  isDate,
  parseDate,
  formatWeekdayDate,
  weekdayName,
} from './date';

const TODAY = '2026-11-21';

/** The core's reader of files has the same cases. */
const CASES = JSON.parse(readFileSync('../crates/tables/tests/typed_dates.json', 'utf8')) as [string, string | null][];

test.each(CASES)('%s is read as %s', (typed, date) => {
  expect(parseDate(typed, TODAY)).toBe(date);
});

test.each([
  ['022326', '2026-02-23'],
  ['02232026', '2026-02-23'],
  ['2/23', '2026-02-23'],
  ['t', TODAY],
  ['today', TODAY],
])('%s is %s', (typed, date) => {
  expect(parseDate(typed, TODAY)).toBe(date);
});

// A file's year may be out of range: that is its own finding.
test.each(['', '2026', '1/1/1800'])('“%s” is no date', (typed) => {
  expect(parseDate(typed, TODAY)).toBeNull();
});

test.each([
  ['23/2/2026', 'the month comes first. Enter it as 02/23/2026.'],
  ['2/29/2026', 'isn’t a valid date'],
  ['1/1/2200', 'a year from 1900 to 2199'],
  ['soon', 'isn’t a date. Enter it as 02/23/2026'],
])('“%s” says why it is none: %s', (typed, why) => {
  expect(explainInvalidDate(typed)).toContain(why);
});

test.each([
  ['2026-01-20', 'Tue'],
  ['2026-11-21', 'Sat'],
  ['2028-02-29', 'Tue'],
  ['x', ''],
])('%s is a %s', (date, day) => {
  expect(weekdayName(date)).toBe(day);
});

test.each([
  ['2026-11-21', 'Sat, Nov 21, 2026'],
  ['x', 'x'],
])('%s with its weekday is %s', (date, words) => expect(formatWeekdayDate(date)).toBe(words));

test.each([
  ['2026-02-28', 1, '2026-03-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-01-01', -1, '2025-12-31'],
  ['2026-03-08', 1, '2026-03-09'],
])('%s by %i is %s', (date, days, moved) => {
  expect(addDays(date, days)).toBe(moved);
});

test('dates are shown the way people here write them', () => {
  expect(formatDate('2026-02-03')).toBe('02/03/2026');
  expect(formatDate('2/3')).toBe('2/3');
  expect(formatLongDate('2026-11-21')).toBe('Nov 21, 2026');
  expect([isDate('2026-02-29'), isDate('2026-02-28')]).toEqual([false, true]);
});

test.each([
  [0, 0, 5, '12:00 AM', '12:00:05 AM'],
  [12, 7, 0, '12:07 PM', '12:07:00 PM'],
  [15, 8, 7, '3:08 PM', '3:08:07 PM'],
])('%i:%i:%i is told in the person’s zone', (hour, minute, second, short, long) => {
  const instant = new Date(2026, 10, 20, hour, minute, second).toISOString();
  expect(formatTime(instant)).toBe(short);
  expect(formatTimestamp(instant)).toBe(`Nov 20, 2026, ${long}`);
  expect(formatWhen(instant, '2026-11-20')).toBe(`today ${short}`);
  expect([formatTime('soon'), formatTimestamp('soon')]).toEqual(['', 'soon']);
});

test.each([
  ['2026-11-26 18:13:26 UTC', 'Nov 26, 2026, '],
  ['2026-11-26T18:13:26Z', 'Nov 26, 2026, '],
])('%s of the service is shown in the zone of the person', (text, shown) => {
  expect(formatServiceText(text)).toBe(`${shown}${formatTime('2026-11-26T18:13:26Z')}`);
});

test.each(['2026-11-26', 'ESX-22-0481', ''])('%j stays as it is', (text) => {
  expect(formatServiceText(text)).toBe(text);
});
