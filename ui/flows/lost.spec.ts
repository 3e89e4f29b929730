import { rm, writeFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { clean } from './axe';
import { HEAD, pictures, row } from './batchFile';
import { type Desk, expect, test } from './desk';

test.describe.configure({ mode: 'serial' });
test.use({ house: 'lost', office: true });

const decision = (page: Page) => page.getByRole('group', { name: 'No response from the service' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const processed = (page: Page) => page.locator('.batch-progress[data-state="processed"]');

/** Two transactions sent to a service that took them, whose answer is lost, and that cannot be asked. */
async function loses(desk: Desk, page: Page, name: string): Promise<void> {
  await desk.call('profile_select', { id: desk.office.profile });
  await page.goto('about:blank');
  await desk.open();
  await desk.fault('batch_import', 'cut');
  await desk.key('Control+4');
  const file = desk.offered(`lost-${name}.csv`);
  await writeFile(file, [HEAD, row(name, 1), row(name, 2)].join('\r\n'));
  await page.getByRole('button', { name: 'Open file' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `lost-${name}.csv` })).toBeVisible();
  await rm(file);
  const go = page.getByRole('button', { name: /^Review \d+ rows/ });
  const grid = page.getByRole('grid');
  await expect(go.or(grid).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
  await expect(grid).toHaveAttribute('aria-rowcount', '3');
  await desk.key('Control+Enter');
  await page.getByRole('button', { name: 'Send 2 transactions' }).click();
  await expect(page.locator('.batch-progress')).toContainText('waiting for your decision', { timeout: 60_000 });
  await expect(page.locator('.batch-progress')).toContainText(`policy ${name}001`);
}

test('a lost answer that the portal shows is taken as arrived', async ({ desk, page }) => {
  await loses(desk, page, 'A');
  await pictures(page, 'lost-asked');
  await clean(page, 'a lost answer');
  await decision(page).getByRole('button', { name: 'It was received' }).click();
  await pictures(page, 'lost-arrived');
  await clean(page, 'it arrived');
  // A number that is too long is refused where it was typed; Enter sends the form.
  await page.getByLabel(/^Batch number/).fill('1'.repeat(201));
  await desk.key('Enter');
  await expect(dialog(page, 'It was received')).toContainText('at most 200 characters');
  await page.getByLabel(/^Batch number/).fill('');
  await desk.key('Enter');
  await expect(processed(page)).toBeVisible();
  await expect(page.locator('.batch-rows')).toContainText('the service gave no outcome');
  await expect(decision(page)).toBeHidden();
  await pictures(page, 'lost-told');
});

test('a lost answer is looked for once more, and a person is asked again', async ({ desk, page }) => {
  await loses(desk, page, 'B');
  await decision(page).getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByText('Looking for the batch again.')).toBeVisible();
  await expect(page.locator('.batch-progress')).toContainText('waiting for your decision', { timeout: 60_000 });
});

test('what the portal does not show is sent again once a person said so', async ({ desk, page }) => {
  await loses(desk, page, 'C');
  await decision(page).getByRole('button', { name: 'Send again' }).click();
  await pictures(page, 'lost-again');
  await clean(page, 'send again');
  await desk.key('Escape');
  await expect(dialog(page, 'Send again')).toBeHidden();
  await expect(decision(page).getByRole('button', { name: 'Send again' })).toBeFocused();
  await desk.key('Enter');
  await dialog(page, 'Send again').getByRole('button', { name: 'It’s not there. Send again' }).click();
  await expect(page.getByText('Sending the batch again.')).toBeVisible();
  // The audit log has it; what became of the second send this service cannot be asked either.
  await expect
    .poll(async () => JSON.stringify(await desk.call('audit_list', {})))
    .toContain('did not arrive, as a person confirmed; it is sent again');
});
