import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { clean } from './axe';
import { HEAD, pictures, row } from './batchFile';
import { type Desk, expect, test } from './desk';

test.describe.configure({ mode: 'serial' });
test.use({ house: 'arriving' });

const line = (at: number) => `${row('A', at, at % 10 === 3 ? '50.00' : '48.50', 'A shop. '.repeat(100))}\n`;
const rows = (from: number, count: number) => Array.from({ length: count }, (_, step) => line(from + step)).join('');

/** A large file: five megabytes. */
const BEGINNING = 5_800;
const REST = 200;
const COUNT = new Intl.NumberFormat('en-US');

/** A file of which only the beginning is there: a pipe is the gate. Gives what writes the rest, and ends it. */
async function arrives(desk: Desk, page: Page, name: string): Promise<(rest: string) => Promise<void>> {
  const path = desk.offered(name);
  execFileSync('mkfifo', [path]);
  await desk.key('Control+4');
  await page.getByRole('button', { name: 'Open file' }).click();
  const pipe = await open(path, 'w');
  await pipe.appendFile(`${HEAD}\n${rows(1, BEGINNING)}`);
  return async (rest) => {
    // Where the reading was stopped no one takes it.
    await pipe.appendFile(rest).catch(() => undefined);
    await pipe.close();
    await rm(path);
  };
}

test('a large file says how far it is read, and opens whole', async ({ desk, page }) => {
  const ends = await arrives(desk, page, 'large.csv');
  const grid = page.getByRole('grid');
  await expect(page.getByRole('heading', { level: 1, name: 'large.csv' })).toBeVisible();
  await expect(page.getByText('Reading large.csv')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'File read' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel import' })).toBeVisible();
  await expect(grid).toBeHidden();
  await clean(page, 'reading');
  await pictures(page, 'reading');
  await ends(rows(BEGINNING + 1, REST));
  await expect(grid).toHaveAttribute('aria-rowcount', String(BEGINNING + REST + 1));
  await expect(page.getByRole('button', { name: 'Cancel import' })).toBeHidden();
  await expect(page.getByRole('button', { name: `Send ${COUNT.format(BEGINNING + REST)} ready rows` })).toBeVisible();
  const taxes = page.locator('.group', { hasText: 'A tax that differs from the calculation' });
  await expect(taxes).toContainText(COUNT.format((BEGINNING + REST) / 10));
  await grid.focus();
  await desk.key('Control+Home');
  await desk.type('Other');
  await desk.key('Enter');
  await expect(page.getByRole('button', { name: /^Changed/ })).toContainText('1');
});

test('reading is stopped, and nothing of it is left', async ({ desk, page }) => {
  const ends = await arrives(desk, page, 'unwanted.csv');
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Batches' })).toBeVisible();
  await expect(page.getByText('Import of unwanted.csv canceled')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue unwanted.csv' })).toBeHidden();
  await ends(line(1));
});
