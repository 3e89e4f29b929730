import type { Page } from '@playwright/test';

import { clean } from './axe';
import { HEAD, PRODUCTION, row } from './batchFile';
import { type Desk, expect, test } from './desk';
import { active, chip, drop, putMattersFirst, ROWS } from './reviewGrid';

test.describe.configure({ mode: 'serial' });

/** The sample that comes with the application, matched: dates, codes and a column without a usual name. */
async function openSample(desk: Desk, page: Page): Promise<void> {
  await desk.key('Control+4');
  await desk.sample();
  const ref = page.getByRole('combobox', { name: /^Field for column A, Ref/ });
  await ref.selectOption('id');
  await expect(ref).toHaveValue('id');
}

async function toRows(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Review \d+ rows/ }).click();
  await expect(page.getByRole('grid')).toBeVisible();
}

/** The batch on screen came to its end: “being processed” is not “processed”. */
async function isProcessed(page: Page): Promise<void> {
  await expect(page.locator('.batch-progress[data-state="processed"]')).toBeVisible({ timeout: 60_000 });
}

/** A group of problems by the start of its title. */
const group = (page: Page, title: string) => page.locator('.group', { hasText: title });

test('a sample is matched, repaired by group, sent, corrected and sent again', async ({ desk, page }) => {
  test.setTimeout(180_000);
  await openSample(desk, page);
  await clean(page, 'match');
  await toRows(page);
  await clean(page, 'review');
  await page.getByRole('button', { name: /^Match 1 value/ }).click();
  await page.getByRole('combobox', { name: /^Code for “GLIAB”/ }).fill('1002');
  await desk.key('Tab');
  await clean(page, 'match values');
  await page.getByRole('button', { name: /^Match \d+ rows?$/ }).click();
  await expect(page.getByRole('button', { name: 'A line of business that is not known' })).toBeHidden();
  await group(page, 'A line of totals')
    .getByRole('button', { name: /^Exclude 1 row/ })
    .click();
  await expect(page.getByRole('dialog')).toContainText('excluded');
  await clean(page, 'preview of a repair');
  await page.getByRole('button', { name: /^Apply/ }).click();
  await expect(chip(page, 'Excluded')).toContainText('1');
  await desk.key('Control+z');
  await expect(chip(page, 'Excluded')).toContainText('0');
  await desk.key('Control+y');
  await expect(chip(page, 'Excluded')).toContainText('1');
  await expect(page.getByRole('button', { name: /^Send \d+ ready rows/ })).toBeEnabled();
  await desk.key('Control+Enter');
  await expect(page.getByRole('dialog', { name: /^Send/ })).toContainText('Nothing leaves this computer');
  await clean(page, 'confirmation');
  await page.getByRole('button', { name: /^Send \d+ transactions/ }).click();
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Results');
  await isProcessed(page);
  const cause = page.getByRole('group', { name: 'Causes' }).getByRole('button').first();
  const count = Number(await cause.locator('b').textContent());
  await cause.click();
  await expect(cause).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.batch-rows tbody tr:not(.messages)')).toHaveCount(count);
  await clean(page, 'results');
  await desk.key('Control+e');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.locator('.head')).toContainText('Correction of');
  await page
    .getByRole('button', { name: /^Use calculated in/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(chip(page, 'Changed')).not.toHaveText('Changed 0');
  await desk.key('Control+Enter');
  await page.getByRole('button', { name: /^Send \d+ transaction/ }).click();
  await isProcessed(page);
  await page.getByRole('button', { name: 'All batches' }).click();
  await expect(page.getByRole('region', { name: 'Sent' })).toContainText('Correction of');
  await clean(page, 'list of batches');
  await page.getByRole('button', { name: 'Audit log' }).click();
  await expect(page.getByRole('dialog')).toContainText('Hash chain verified');
  await clean(page, 'audit log');
  for (const [button, file] of [
    ['Save as CSV', /^Saved Audit log .*csv/],
    ['Save as PDF', /^Saved Audit log .*pdf/],
    ['Save checkpoint', /^Saved Audit log checkpoint .*json/],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(file).first()).toBeVisible();
  }
});

test('a file dropped on another view is reviewed by keyboard alone', async ({ desk, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await drop(page, { 'november.csv': ROWS });
  await expect(page.getByRole('heading', { level: 1, name: 'november.csv' })).toBeVisible();
  const go = page.getByRole('button', { name: /^Review \d+ rows/ });
  await expect(go.or(page.getByRole('grid')).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '301');
  await expect(page.getByRole('columnheader').nth(1)).toHaveText(/State/);
  await page.getByRole('button', { name: 'File order' }).focus();
  await desk.key('Enter');
  await expect(grid).toBeFocused();
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
  await desk.key('Control+Home');
  await desk.key('Shift+ArrowDown');
  await desk.key('Control+d');
  await expect(chip(page, 'Changed')).toContainText('1');
  await desk.key('ArrowUp');
  await desk.key('ArrowDown');
  await expect.poll(() => active(page)).toBe('error: T-1');
  await desk.key('Control+z');
  await expect(chip(page, 'Changed')).toContainText('0');
  await page.getByRole('columnheader', { name: 'Premium' }).click();
  await expect(page.getByText(/^Selected 300 sum 374,850\.00 average 1,249\.50$/)).toBeVisible();
  await desk.key('Control+f');
  await desk.type('Insured 277');
  await desk.key('Enter');
  await expect.poll(() => active(page)).toBe('Insured 277');
  await desk.key('Escape');
  await expect(grid).toBeFocused();
  await desk.key('Control+Home');
  await desk.key('F8');
  await expect(page.getByRole('group', { name: 'Issues in this cell' })).toBeVisible();
  await desk.key('Control+.');
  await expect(page.locator('#issue-note button').first()).toBeFocused();
  await desk.key('Escape');
  await expect(grid).toBeFocused();
  await chip(page, 'Changed').click();
  await expect(grid).toHaveAttribute('aria-rowcount', '1');
});

const table = (...rows: string[]) => [HEAD, ...rows].join('\r\n');

async function dropTable(page: Page, name: string, text: string, rows: number): Promise<void> {
  await drop(page, { [name]: text });
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(rows + 1));
}

test('a warning is kept with a reason, and undone', async ({ desk, page }) => {
  await dropTable(page, 'kept.csv', table(row('K', 1, '50.00'), row('K', 2), row('K', 3)), 3);
  const title = page.getByRole('button', { name: 'A tax that differs from the calculation' });
  const taxes = page.locator('.group', { has: title });
  await title.click();
  await taxes.getByRole('button', { name: 'Keep all…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep this warning' });
  await expect(dialog.getByRole('button', { name: 'Keep', exact: true })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('agreed with the state');
  await clean(page, 'reason for keeping');
  await desk.key('Enter');
  await expect(dialog).toBeHidden();
  await expect(group(page, 'Kept with a reason')).toContainText('agreed with the state');
  await expect(taxes).toBeHidden();
  await clean(page, 'kept warning');
  await desk.key('Control+z');
  await expect(taxes).toBeVisible();
  await expect(group(page, 'Kept with a reason')).toBeHidden();
});

/** The page loaded again, as after a start. */
async function again(desk: Desk, page: Page): Promise<void> {
  await page.goto('about:blank');
  await desk.open();
}

test('columns are made wider by key and by mouse, and stay so', async ({ desk, page }) => {
  await putMattersFirst(desk);
  await dropTable(page, 'wide.csv', table(row('W', 1), row('W', 2)), 2);
  const head = page.getByRole('columnheader').nth(2);
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0);
  const before = await width();
  await page.getByRole('grid').focus();
  await desk.key('Control+Home');
  await desk.key('ArrowRight');
  await desk.key('Alt+Shift+ArrowRight');
  await expect.poll(width).toBe(before + 16);
  const box = await head.boundingBox();
  const edge = { x: (box?.x ?? 0) + (box?.width ?? 0) - 3, y: (box?.y ?? 0) + 10 };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + 60, edge.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(before + 76);
  await expect
    .poll(async () => {
      const { widths } = (await desk.call('grid_layout', { name: '' })) as { widths: Record<string, number> };
      return Object.values(widths);
    })
    .toContain(before + 76);
  await again(desk, page);
  await desk.key('Control+4');
  await page.getByRole('button', { name: 'Continue wide.csv' }).click();
  await expect.poll(width).toBe(before + 76);
});

test('a column is as wide as what is in it, by mouse and from the menu, and stays so', async ({ desk, page }) => {
  const name = 'The Very Long Name of an Insured Who Owns Several Shops and a Warehouse';
  await putMattersFirst(desk);
  await dropTable(page, 'fit.csv', table(row('L', 1).replace('Insured 1', name), row('L', 2)), 2);
  const cell = page.getByRole('gridcell', { name });
  const head = page.getByRole('columnheader', { name: 'Insured', exact: true });
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0);
  const isCut = () => cell.evaluate((element) => element.scrollWidth > element.clientWidth);
  expect(await isCut()).toBe(true);
  // The panel of problems may still move the columns: who misses the edge tries again.
  await expect(async () => {
    const box = await head.boundingBox();
    await page.mouse.dblclick((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 10);
    expect(await isCut()).toBe(false);
  }).toPass();
  const fitted = await width();

  // Wider or narrower than its content: from the menu it is the same again.
  await cell.click();
  await desk.key('Alt+Shift+ArrowRight');
  await expect.poll(width).toBe(fitted + 16);
  await desk.key('Shift+F10');
  await page.getByRole('menuitem', { name: 'Fit column to content' }).press('Enter');
  await expect.poll(width).toBe(fitted);
  await expect
    .poll(async () => {
      const { widths } = (await desk.call('grid_layout', { name: '' })) as { widths: Record<string, number> };
      return widths['mailing_insured_name'];
    })
    .toBe(fitted);
});

test('documents dropped on a review are matched before they are attached', async ({ desk, page }) => {
  await desk.key('Control+4');
  await dropTable(page, 'papers.csv', table(row('D', 1), row('D', 2), row('D', 3)), 3);
  await drop(page, {
    'D001 policy.pdf': '%PDF-1.4 one %%EOF',
    'D003 policy.pdf': 'MZ\u0090\u0000\u0003',
    'letter.pdf': '%PDF-1.4 two %%EOF',
    'stranger.pdf': '%PDF-1.4 three %%EOF',
    'documents.csv': 'file,policy,code\r\nletter.pdf,D002,AFFIDC\r\n',
  });
  const dialog = page.getByRole('dialog', { name: 'Documents' });
  await expect(dialog.getByRole('region', { name: 'Matched', exact: true })).toContainText('D001 policy.pdf');
  await expect(dialog.getByRole('region', { name: 'Matched', exact: true })).toContainText('AFFIDC');
  await expect(dialog.getByRole('region', { name: 'Not matched' })).toContainText('stranger.pdf');
  await expect(dialog.getByRole('row', { name: /D003 policy/ })).toContainText('a program, not a document');
  await clean(page, 'documents and rows');
  await dialog.getByRole('button', { name: 'Attach 2' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Documents 2 of 3' })).toBeVisible();
});

test('rows with errors are saved as a file', async ({ desk, page }) => {
  await desk.key('Control+4');
  const wrong = row('R', 2).replace('GEN-1002', 'nothing known');
  await dropTable(page, 'reject.csv', table(row('R', 1), wrong), 2);
  await expect(chip(page, 'Errors')).toContainText('1');
  await page.getByRole('button', { name: /^Save rejected rows/ }).click();
  await expect(page.getByText('Saved reject rejected.xlsx')).toBeVisible();
});

test('a draft shows what of it was sent', async ({ desk, page }) => {
  await desk.key('Control+4');
  const wrong = row('S', 3).replace('GEN-1002', 'nothing known');
  await dropTable(page, 'partly.csv', table(row('S', 1), row('S', 2), wrong), 3);
  await expect(chip(page, 'Errors')).toContainText('1');
  await desk.key('Control+Enter');
  await page.getByRole('button', { name: /^Send 2 transactions/ }).click();
  await isProcessed(page);
  await page.getByRole('button', { name: 'All batches' }).click();
  await page.getByRole('button', { name: 'partly.csv' }).first().click();
  await expect(chip(page, 'Sent')).toContainText('2');
  await expect(chip(page, 'Errors')).toContainText('1');
  await expect(page.getByRole('button', { name: /^Send 0 ready rows/ })).toBeVisible();
});

test('production asks for its word, and what waits is canceled', async ({ desk, page }) => {
  await desk.call('secrets_use_memory', {});
  const { profile } = (await desk.call('profile_save', PRODUCTION)) as { profile: { id: string } };
  await desk.call('profile_set_key', { id: profile.id, key: 'key-of-a-test-1234567890' });
  await desk.call('profile_select', { id: profile.id });
  try {
    await again(desk, page);
    await dropTable(page, 'real.csv', table(row('P', 1), row('P', 2)), 2);
    await desk.key('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Send real.csv' });
    await expect(dialog).toContainText('Head office');
    const send = dialog.getByRole('button', { name: 'Send 2 transactions' });
    await expect(send).toBeDisabled();
    await dialog.getByLabel('Type Head office to send to production').fill('head office');
    await expect(send).toBeEnabled();
    await clean(page, 'confirmation of production');
    await desk.key('Enter');
    await expect(page.locator('.batch-progress')).toContainText('Sending continues', { timeout: 30_000 });
    // Too early to correct anything, and the key says so.
    await desk.key('Control+e');
    await expect(page.getByText('You can correct rows when it’s finished')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(page.locator('.batch-progress[data-state="canceled"]')).toBeVisible();
    await expect(chip(page, 'Not sent')).toContainText('2');
  } finally {
    await desk.call('profile_select', { id: 'practice' });
    await desk.call('profile_remove', { id: profile.id });
  }
});
