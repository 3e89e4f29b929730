import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Page } from '@playwright/test';

import { clean } from './axe';
import { expect, test } from './desk';

test.use({ house: 'events' });

const BATCH = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), '../../tests/window/batch.csv'),
  'utf8',
).replaceAll('INV-', 'EV-');
/** Live news may take a moment on a slow machine; nothing is clicked meanwhile. */
const NEWS = { timeout: 60_000 };

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
  // Drops are listened for once the page is at rest.
  await expect(async () => {
    await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
    await expect(page.locator('.drop-veil')).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

test('subscribed from the window, a batch turns to processed and filed by itself', async ({ desk, page }) => {
  test.setTimeout(180_000);
  await desk.key('Control+8');
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  await expect(page.getByText('No events yet')).toBeVisible();
  await clean(page, 'events, none yet');
  await page.getByRole('button', { name: 'Receive events' }).click();
  await expect(page.locator('.events-status')).toContainText('Receiving', NEWS);

  await drop(page, 'week.csv', BATCH);
  const go = page.getByRole('button', { name: /^Review \d+ rows/ });
  await expect(go.or(page.getByRole('grid')).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
  await expect(page.getByRole('button', { name: /^Send \d+ ready rows/ })).toBeEnabled();
  await desk.key('Control+Enter');
  await page.getByRole('button', { name: /^Send \d+ transactions/ }).click();
  await expect(page.locator('.batch-progress')).toContainText('processed', NEWS);

  await desk.key('Control+8');
  const unread = page.getByRole('region', { name: 'Unread' });
  await expect(unread.getByRole('button', { name: /week\.csv processed/ })).toBeVisible(NEWS);

  await desk.key('Control+9');
  await expect(page.getByRole('note')).toContainText('Practice only');
  await clean(page, 'practice panel');
  await page.getByRole('button', { name: 'File with the state' }).click();
  await expect(page.getByText(/\d+ transactions? changed/).first()).toBeVisible(NEWS);

  await desk.key('Control+8');
  await expect(unread.getByRole('button', { name: /filed with the state/ }).first()).toBeVisible(NEWS);
  await unread
    .getByRole('button', { name: /filed with the state/ })
    .first()
    .click();
  const detail = page.getByRole('complementary', { name: 'Event' });
  await expect(detail).toContainText('The signature matches', NEWS);
  await expect(detail).toContainText('confirmed by the service', NEWS);
  await expect(detail).toContainText('Filed on');
  await detail.getByText(/^Raw body/).click();
  await expect(detail).toContainText('webhook.transaction.status.filed');
  await clean(page, 'events');
  await page.getByRole('button', { name: 'Receiving', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Desktop notifications');
  await clean(page, 'receiving');
  await desk.key('Escape');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(unread).toBeHidden(NEWS);
  await detail.getByRole('button', { name: 'Show batch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'week.csv' })).toBeVisible();
});
