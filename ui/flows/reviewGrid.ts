import type { Page } from '@playwright/test';

import { type Desk, expect } from './desk';

/** How many rows each filter above the grid has. */
export const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name });

/** Three hundred rows with a warning each. */
export const ROWS = [
  'Transaction ID,Policy Number,Type,Effective Date,State,LOB,Premium,SL Tax,Named Insured',
  ...Array.from(
    { length: 300 },
    (_, at) => `T-${at + 1},00${1000 + at},PN,02/23/2026,TX,GEN-1002,"1,${100 + at}.00",,Insured ${at + 1}`,
  ),
].join('\r\n');

/** Drops files as a page gets them, by name. */
export async function drop(page: Page, files: Record<string, string>): Promise<void> {
  const data = await page.evaluateHandle((contents) => {
    const transfer = new DataTransfer();
    for (const [name, content] of Object.entries(contents)) transfer.items.add(new File([content], name));
    return transfer;
  }, files);
  // Files hover over a window again and again: whenever it listens, the veil is shown.
  await expect(async () => {
    await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
    await expect(page.locator('.drop-veil')).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** The cell with the keyboard, as it is read out. */
export const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.querySelector('[role="grid"]')?.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.textContent ?? null;
  });

/** Columns that matter come first in the next review, as wide as usual: what another flow chose is remembered. */
export async function putMattersFirst(desk: Desk): Promise<void> {
  const layout = (await desk.call('grid_layout', { name: '' })) as object;
  await desk.call('grid_layout_save', { mapping: '', layout: { ...layout, file_order: false, widths: {} } });
}

/** Three hundred rows at their first cell. */
export async function openReview({ desk, page }: { desk: Desk; page: Page }) {
  await putMattersFirst(desk);
  await drop(page, { 'december.csv': ROWS });
  await expect(page.getByRole('heading', { level: 1, name: 'december.csv' })).toBeVisible();
  const go = page.getByRole('button', { name: /^Review \d+ rows/ });
  const grid = page.getByRole('grid');
  await expect(go.or(grid).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
  await expect(grid).toHaveAttribute('aria-rowcount', '301');
  const cell = (row: number, column: number) => grid.locator(`.body [data-row="${row}"] [data-column="${column}"]`);
  await expect(cell(0, 2)).toContainText('Insured 1');
  await grid.focus();
  await desk.key('Control+Home');
  const heads = page.getByRole('columnheader');
  /** The place of a column by its heading. */
  const place = async (title: string) => {
    const titles = await heads.allTextContents();
    return titles.findIndex((text) => text.trim() === title) - 1;
  };
  return { grid, cell, heads, place };
}
