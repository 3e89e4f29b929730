import { clean } from './axe';
import { expect, test } from './desk';
import { active, chip, drop, openReview, putMattersFirst } from './reviewGrid';

test('rows are filtered, sorted and replaced by keyboard, and all of them stay to be sent', async ({ desk, page }) => {
  const { grid, heads } = await openReview({ desk, page });
  const toSend = await page.getByRole('button', { name: /^(Send|Keep)/ }).textContent();
  const menu = async (entry: RegExp | string) => {
    await desk.key('Shift+F10');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.getByRole('menuitem', { name: entry }).press('Enter');
  };

  // The insured is the third column. The grid may still be arriving at its first cell.
  await expect(async () => {
    await desk.key('Control+Home');
    await desk.key('ArrowRight');
    await desk.key('ArrowRight');
    expect(await active(page)).toBe('Insured 1');
  }).toPass();
  await desk.key('Control+ArrowDown');
  await expect.poll(() => active(page)).toBe('Insured 300');
  await desk.key('Control+Shift+ArrowUp');
  await expect(page.getByText(/^Selected 300/)).toBeVisible();

  await desk.key('Alt+Shift+ArrowDown');
  await expect(page.getByRole('dialog', { name: 'Filter by Insured' })).toBeVisible();
  await clean(page, 'filter');
  await desk.type('insured 29');
  await desk.key('Enter');
  await expect(grid).toHaveAttribute('aria-rowcount', '12');
  await expect(page.getByText('11 of 300 rows')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Send|Keep)/ })).toHaveText(toSend ?? '');

  await desk.key('Control+Home');
  await desk.key('ArrowRight');
  await desk.key('ArrowRight');
  await menu('Sort descending');
  await expect.poll(() => active(page)).not.toBeNull();
  await expect(page.getByText(/sorted by .*, descending/)).toBeVisible();

  await desk.key('Control+Home');
  await desk.key('ArrowRight');
  await desk.key('ArrowRight');
  await expect.poll(() => active(page)).toBe('Insured 299');
  await desk.key('Control+h');
  await expect(page.getByRole('dialog', { name: 'Find and replace' })).toBeVisible();
  await desk.type('INSURED');
  await desk.key('Tab');
  await desk.type('Client');
  await expect(page.getByText('11 cells would change.')).toBeVisible();
  await clean(page, 'replace');
  await desk.key('Enter');
  await expect(page.getByText(/^Replaced in 11 cells\./)).toBeVisible();
  await expect(page.getByText('No rows match the filters.')).toBeVisible();
  await desk.key('Control+Shift+l');
  await expect(grid).toHaveAttribute('aria-rowcount', '301');
  await expect(chip(page, 'Changed')).toContainText('11');
  await desk.key('Control+z');
  await expect(chip(page, 'Changed')).toContainText('0');

  // Columns: hidden, shown again, frozen, and so it is after a new start.
  await grid.focus();
  await desk.key('Control+Home');
  await expect(heads.nth(1)).toHaveText(/State/);
  await menu('Hide column');
  await expect(heads.nth(1)).not.toHaveText(/State/);
  await menu('Freeze up to this column');
  await expect(page.locator('.data-grid.has-frozen')).toBeVisible();
  await expect
    .poll(async () => (await desk.call('grid_layout', { name: '' })) as { frozen: number; hidden: string[] })
    .toMatchObject({ frozen: 1, hidden: ['physical_state'] });
  await menu('Show 1 hidden column');
  await expect(heads.nth(1)).toHaveText(/State/);
  await menu('Unfreeze columns');
});

test('what is typed row after row under a filter goes into those rows', async ({ desk, page }) => {
  await putMattersFirst(desk);
  const row = (at: number) => {
    const premium = at % 2 === 0 ? '1000' : 'later';
    return `E-${at},E00${at},PN,02/23/2026,TX,GEN-1002,${premium},48.50,Insured ${at}`;
  };
  const head = 'Transaction ID,Policy Number,Type,Effective Date,State,LOB,Premium,SL Tax,Named Insured';
  await drop(page, { 'errors.csv': [head, ...[1, 2, 3, 4, 5, 6, 7].map(row)].join('\r\n') });
  const go = page.getByRole('button', { name: /^Review \d+ rows/ });
  const grid = page.getByRole('grid');
  await expect(go.or(grid).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
  await expect(grid).toHaveAttribute('aria-rowcount', '8');
  await chip(page, 'Errors').click();
  await expect(grid).toHaveAttribute('aria-rowcount', '5');
  const titles = await page.getByRole('columnheader').allTextContents();
  const premium = titles.findIndex((text) => text.trim() === 'Premium') - 1;
  const premiums = () => grid.locator(`.body [data-column="${premium}"]`).allTextContents();
  await grid.locator(`.body [data-row="0"] [data-column="${premium}"]`).click();
  for (const amount of ['1001', '1003', '1005']) {
    await desk.type(amount);
    await desk.key('Enter');
  }
  await expect(chip(page, 'Errors')).toContainText('1');
  // The mark of the last one is taken off with the next rows that are shown.
  await expect.poll(async () => (await premiums()).slice(0, 3)).toEqual(['1,001.00', '1,003.00', '1,005.00']);
  await chip(page, 'Errors').click();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await chip(page, 'All').click();
  await expect(grid).toHaveAttribute('aria-rowcount', '8');
  expect((await premiums()).slice(0, 6)).toEqual([
    '1,001.00',
    '1,000.00',
    '1,003.00',
    '1,000.00',
    '1,005.00',
    '1,000.00',
  ]);
});
