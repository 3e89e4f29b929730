import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { clean } from './axe';
import { HEAD, row } from './batchFile';
import { expect, test } from './desk';

test.use({ house: 'reach' });
test.describe.configure({ mode: 'serial' });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

test('the keyboard goes on where a view begins, and the window has its name', async ({ desk, page }) => {
  for (const [key, name] of [
    ['Control+3', 'Saved quotes'],
    ['Control+4', 'Batches'],
    ['Control+6', 'Documents'],
    ['Control+8', 'Events'],
    ['Control+,', 'Settings'],
  ] as const) {
    await desk.key(key);
    await expect(heading(page, name)).toBeFocused();
    await expect(page).toHaveTitle(`${name} - Bordereau`);
  }
  // Where there is something to type at once, that has the focus.
  await desk.key('Control+1');
  await expect(desk.state()).toBeFocused();
});

test('a way past the views, and from part to part', async ({ desk, page }) => {
  await desk.key('Control+3');
  await expect(heading(page, 'Saved quotes')).toBeFocused();
  await desk.key('F6');
  await expect(
    page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Saved quotes' }),
  ).toBeFocused();
  await desk.key('F6');
  await expect(heading(page, 'Saved quotes')).toBeFocused();
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await clean(page, 'the way past the views');
  await desk.key('Enter');
  await expect(heading(page, 'Saved quotes')).toBeFocused();
});

test('what is removed leaves the focus to what takes its place', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
  for (const count of [2, 3]) {
    await desk.key('Control+Enter');
    await expect(page.getByRole('combobox', { name: `Line ${count}` })).toBeFocused();
  }
  const remove = page.getByRole('button', { name: 'Remove line 2' });
  await remove.focus();
  await desk.key('Enter');
  await expect(page.getByRole('combobox', { name: 'Line 2' })).toBeFocused();
  await remove.focus();
  await desk.key('Enter');
  await expect(page.getByRole('button', { name: 'Remove line 1' })).toBeFocused();

  for (const name of ['Saved one', 'Saved two']) {
    await desk.key('Control+Shift+S');
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await desk.key('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await desk.key('Control+3');
  const saved = page.getByRole('region', { name: 'Saved', exact: true });
  for (const left of [1, 0]) {
    await saved
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(saved.getByRole('button', { name: /^Remove/ })).toHaveCount(left);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  }
});

test('a button that is off says why, to the eye and to the ear', async ({ desk, page }) => {
  await desk.key('Control+4');
  await page.getByRole('button', { name: 'Paste' }).click();
  const read = page.getByRole('dialog').getByRole('button', { name: 'Import rows' });
  await expect(read).toBeDisabled();
  await expect(read).toHaveAttribute('title', 'Paste the rows first.');
  await read.focus();
  await expect(read).toBeFocused();
  await desk.key('Enter');
  const news = page.getByRole('region', { name: 'Notifications' });
  await expect(news).toContainText('Paste the rows first.');
  await expect(page.getByRole('dialog')).toBeVisible();
  await clean(page, 'a dialog with news');
});

/** Drops what lies on the disk, as a file manager does. */
async function dropFromDisk(page: Page, path: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const at = { x: 600, y: 400, data };
  await browser.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at });
  // Drops are listened for once the page is at rest.
  await expect(async () => {
    await browser.send('Input.dispatchDragEvent', { type: 'dragOver', ...at });
    await expect(page.locator('.drop-veil')).toBeVisible({ timeout: 500 });
  }).toPass();
  await browser.send('Input.dispatchDragEvent', { type: 'drop', ...at });
  await browser.detach();
}

test('a file is dropped, then a folder of its documents', async ({ desk, page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'bordereau-drop-'));
  try {
    const rows = join(folder, 'folder.csv');
    writeFileSync(rows, [HEAD, row('F', 1), row('F', 2)].join('\r\n'));
    const papers = join(folder, 'papers');
    mkdirSync(join(papers, 'more'), { recursive: true });
    const pdf = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
    writeFileSync(join(papers, 'F001 policy.pdf'), pdf);
    writeFileSync(join(papers, 'more', 'F002 policy.pdf'), `${pdf}\n`);
    writeFileSync(join(papers, '.hidden'), 'no');
    await dropFromDisk(page, rows);
    await expect(heading(page, 'folder.csv')).toBeVisible();
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3');
    await dropFromDisk(page, papers);
    const dialog = page.getByRole('dialog', { name: 'Documents' });
    const matched = dialog.getByRole('region', { name: 'Matched', exact: true });
    await expect(matched).toContainText('F001 policy.pdf');
    await expect(matched).toContainText('F002 policy.pdf');
    await expect(dialog).not.toContainText('.hidden');
    await dialog.getByRole('button', { name: 'Attach 2' }).click();
    await expect(page.getByRole('button', { name: 'Documents 2 of 2' })).toBeVisible();
    await page.getByRole('button', { name: 'Excluded 0' }).click();
    await expect(page.getByText('No rows are excluded.')).toBeVisible();
    await clean(page, 'a filter that nothing passes');
    await page.getByRole('button', { name: 'Show all rows' }).click();
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3');
    await desk.key('Alt+ArrowLeft');
    await expect(heading(page, 'Batches')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Continue folder.csv' })).toBeVisible();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What of the head of a view cannot be read: cut by an ellipsis, or beyond the window. */
const cutHeads = (page: Page) =>
  page.locator('.head > *').evaluateAll((parts) =>
    parts
      .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth)
      .filter((part) => getComputedStyle(part).display !== 'inline')
      .map((part) => part.textContent),
  );

/** Words of a table that go on in another line. */
const brokenWords = (page: Page) =>
  page.locator('table :is(th, td)').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const found: string[] = [];
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[a-z’]+/gi)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
        }
      return found;
    }),
  );

test('on a small screen, also at 150 %, what heads and results say can be read', async ({ desk, page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await desk.chooseState('KY');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
  await page.getByLabel('Carrier or inspection fee').fill('150.42');
  await desk.ask();
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  for (const zoom of [1, 1.5]) {
    await page.evaluate((at) => document.documentElement.style.setProperty('--zoom', String(at)), zoom);
    for (const [key, name] of [
      ['Control+1', 'Quote'],
      ['Control+4', 'Batches'],
      ['Control+5', 'Transactions'],
      ['Control+6', 'Documents'],
      ['Control+7', 'Due dates'],
    ] as const) {
      await desk.key(key);
      await expect(heading(page, name)).toBeVisible();
      expect(await cutHeads(page), `${name} at ${zoom}`).toEqual([]);
      expect(await brokenWords(page), `${name} at ${zoom}`).toEqual([]);
    }
  }
});

test('axe finds nothing in a narrow window', async ({ desk, page }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 640, height: 800 });
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
  await desk.ask();
  await clean(page, 'quote');
  for (const [key, name] of [
    ['Control+2', 'Compare states'],
    ['Control+3', 'Saved quotes'],
    ['Control+4', 'Batches'],
    ['Control+5', 'Transactions'],
    ['Control+6', 'Documents'],
    ['Control+7', 'Due dates'],
    ['Control+8', 'Events'],
    ['Control+9', 'Practice panel'],
    ['Control+Shift+F', 'Diligent effort'],
    ['Control+,', 'Settings'],
  ] as const) {
    await desk.key(key);
    await expect(heading(page, name)).toBeVisible();
    await clean(page, name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wide, `${name} scrolls sideways`).toBe(false);
  }
});
