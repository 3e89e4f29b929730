import type { Page } from '@playwright/test';

import { clean } from './axe';
import { type Desk, expect, test } from './desk';

test.describe.configure({ mode: 'serial' });

/** The sample that comes with the application, matched: dates, codes and a column without a usual name. */
async function openSample(desk: Desk, page: Page): Promise<void> {
  await desk.key('Control+4');
  await desk.sample();
  await page.getByRole('combobox', { name: /^Field of column A, Ref/ }).selectOption('id');
  await expect(page.getByRole('region', { name: 'Columns' })).toContainText('chosen');
}

async function toRows(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Review \d+ rows/ }).click();
  await expect(page.getByRole('grid')).toBeVisible();
}

const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name });

/** A group of problems by the start of its title. */
const group = (page: Page, title: string) => page.locator('.group', { hasText: title });

test('a sample is matched, repaired by group, sent, corrected and sent again', async ({ desk, page }) => {
  test.setTimeout(180_000);
  await openSample(desk, page);
  await clean(page, 'match');
  await toRows(page);
  await clean(page, 'review');
  await page.getByRole('button', { name: /^Match 1 value/ }).click();
  await page.getByRole('combobox', { name: /^Code of “GLIAB”/ }).fill('1002');
  await desk.key('Tab');
  await clean(page, 'match values');
  await page.getByRole('button', { name: /^Match in \d+ rows/ }).click();
  await expect(page.getByRole('button', { name: 'A line of business that is not known' })).toBeHidden();
  await group(page, 'A line of totals')
    .getByRole('button', { name: /^Leave out 1 row/ })
    .click();
  await expect(page.getByRole('dialog')).toContainText('left out');
  await clean(page, 'preview of a repair');
  await page.getByRole('button', { name: /^Apply to/ }).click();
  await expect(chip(page, 'Left out')).toContainText('1');
  await desk.key('Control+z');
  await expect(chip(page, 'Left out')).toContainText('0');
  await desk.key('Control+y');
  await expect(chip(page, 'Left out')).toContainText('1');
  await expect(page.getByRole('button', { name: /^Send \d+ ready rows/ })).toBeEnabled();
  await desk.key('Control+Enter');
  await expect(page.getByRole('dialog', { name: /^Send/ })).toContainText('Nothing leaves this computer');
  await clean(page, 'confirmation');
  await page.getByRole('button', { name: /^Send \d+ transactions/ }).click();
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Results');
  await expect(page.locator('.batch-progress')).toContainText('processed', { timeout: 60_000 });
  await clean(page, 'results');
  await desk.key('Control+e');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.locator('.head')).toContainText('correction');
  for (const each of await page.getByRole('button', { name: /^Use calculated in/ }).all()) {
    await each.click();
    await page.getByRole('button', { name: /^Apply to/ }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    break;
  }
  await expect(chip(page, 'Changed')).not.toHaveText('Changed 0');
  await desk.key('Control+Enter');
  await page.getByRole('button', { name: /^Send \d+ transaction/ }).click();
  await expect(page.locator('.batch-progress')).toContainText('processed', { timeout: 60_000 });
  await page.getByRole('button', { name: 'All batches' }).click();
  await expect(page.getByRole('region', { name: 'Sent' })).toContainText('correction');
  await clean(page, 'list of batches');
  await page.getByRole('button', { name: 'Audit log' }).click();
  await expect(page.getByRole('dialog')).toContainText('The chain of hashes holds');
  await clean(page, 'audit log');
});

const ROWS = [
  'Transaction ID,Policy Number,Type,Effective Date,State,LOB,Premium,SL Tax,Named Insured',
  ...Array.from(
    { length: 300 },
    (_, at) => `T-${at + 1},00${1000 + at},PN,02/23/2026,TX,GEN-1002,"1,${100 + at}.00",,Insured ${at + 1}`,
  ),
].join('\r\n');

/** Drops a file as a page gets it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file = '', content = '']) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file, { type: 'text/csv' }));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await expect(page.getByText('Drop the spreadsheet')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.querySelector('[role="grid"]')?.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.textContent ?? null;
  });

test('a file dropped on another view is reviewed by keyboard alone', async ({ desk, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.waitForTimeout(1000);
  await drop(page, 'november.csv', ROWS);
  await expect(page.getByRole('heading', { level: 1, name: 'november.csv' })).toBeVisible();
  const go = page.getByRole('button', { name: /^Review \d+ rows/ });
  await expect(go.or(page.getByRole('grid')).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '301');
  await grid.focus();
  await desk.key('Control+End');
  await expect.poll(() => page.getByRole('row').count()).toBeLessThanOrEqual(61);
  await desk.key('Control+Home');
  await expect.poll(() => active(page)).toBe('T-1');
  await desk.key('ArrowRight');
  await expect.poll(() => active(page)).toBe('001000');
  await desk.type('007');
  await desk.key('Enter');
  await expect.poll(() => active(page)).toBe('001001');
  await expect(grid).toBeFocused();
  await desk.key('ArrowUp');
  await expect.poll(() => active(page)).toBe('007');
  await expect(chip(page, 'Changed')).toContainText('1');
  await desk.key('Shift+ArrowDown');
  await desk.key('Control+c');
  await expect(page.getByText('Copied 2 cells.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('007\r\n001001');
  await desk.key('Control+End');
  await desk.key('Home');
  await desk.key('Control+v');
  await expect(grid).toHaveAttribute('aria-rowcount', '302');
  await desk.key('Control+z');
  await expect(grid).toHaveAttribute('aria-rowcount', '301');
  await desk.key('Control+z');
  await expect(chip(page, 'Changed')).toContainText('0');
  await desk.key('Control+f');
  await desk.type('Insured 277');
  await desk.key('Enter');
  await expect.poll(() => active(page)).toBe('Insured 277');
  await desk.key('Escape');
  await expect(grid).toBeFocused();
  await desk.key('Control+Home');
  await desk.key('F8');
  await expect(page.getByRole('group', { name: 'Problem of this cell' })).toBeVisible();
  await desk.key('Control+.');
  await expect(page.locator('#issue-note button').first()).toBeFocused();
  await desk.key('Escape');
  await expect(grid).toBeFocused();
  await chip(page, 'Changed').click();
  await expect(grid).toHaveAttribute('aria-rowcount', '1');
});
