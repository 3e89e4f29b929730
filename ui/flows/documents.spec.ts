import type { Page } from '@playwright/test';

import { clean } from './axe';
import { PRODUCTION } from './batchFile';
import { expect, test } from './desk';
import { drop } from './reviewGrid';
import { transaction } from './transactions';

test.use({ house: 'documents' });
test.describe.configure({ mode: 'serial' });

const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';

/** The first that is found for this number is its transaction. */
async function choose(page: Page, file: string, number: string, found: string): Promise<void> {
  await page.getByRole('button', { name: `Choose the transaction of ${file}` }).click();
  await page.getByRole('combobox', { name: 'Choose a transaction' }).fill(number);
  await page
    .getByRole('option', { name: new RegExp(`${found} ${number}\\b`) })
    .first()
    .click();
}

test('a missing policy is dropped, given its kind, sent and shown as there', async ({ desk, page }) => {
  test.setTimeout(120_000);
  const { policy, id } = await transaction(desk);
  await desk.key('Control+6');
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible();
  await desk.key('Control+f');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await desk.type('no such policy');
  await expect(page.getByText('No missing documents match “no such policy”.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Search' }).fill(`${policy} policy`);
  await expect(page.getByRole('button', { name: `Documents for ${policy}` })).toBeVisible();
  const missing = page.getByRole('region', { name: 'Missing documents' });
  await expect(missing.getByRole('row', { name: policy })).toContainText('Policy');
  await clean(page, 'what is missing');
  await missing.getByRole('button', { name: `Documents for ${policy}` }).click();
  await expect(page.getByText('Missing for filing: Policy')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(policy) })).toBeFocused();
  await clean(page, 'documents of a transaction');
  await drop(page, { 'Policy signed.pdf': PDF, 'setup.pdf': 'MZ\u0090\u0000\u0003' });
  const dialog = page.getByRole('dialog', { name: `Upload to transaction ${id}` });
  await expect(dialog.getByRole('row', { name: /setup\.pdf/ })).toContainText('a program, not a document');
  await expect(dialog.getByRole('combobox', { name: 'Type of Policy signed.pdf' })).toHaveValue('POLIC');
  await clean(page, 'files to be uploaded');
  await dialog.getByRole('button', { name: 'Upload 1 document' }).click();
  await expect(dialog).toBeHidden();
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await expect(uploads.locator('tr[data-state="sent"]')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('No documents missing for filing')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'At the service' }).getByRole('row', { name: 'POLIC' })).toBeVisible();
  await page.getByRole('button', { name: 'All documents' }).click();
  await expect(page.getByRole('region', { name: 'Uploads' })).toContainText('Policy signed.pdf');
  await expect(missing.getByRole('row', { name: policy })).toBeHidden();
  await clean(page, 'queue');
});

test('a document dropped elsewhere asks for its transaction', async ({ desk, page }) => {
  test.setTimeout(120_000);
  const { id } = await transaction(desk, 'FL');
  await drop(page, { 'scan.pdf': `${PDF}% another\n%%EOF\n` });
  const dialog = page.getByRole('dialog', { name: 'Upload documents' });
  const upload = dialog.getByRole('button', { name: 'Upload 1 document' });
  await expect(dialog.getByText('PDF document')).toBeVisible();
  await expect(upload).toBeDisabled();
  await choose(page, 'scan.pdf', id, ', transaction');
  await expect(dialog.getByRole('row', { name: /scan\.pdf/ })).toContainText(`transaction ${id}`);
  await dialog.getByRole('combobox', { name: 'Type of scan.pdf' }).selectOption('MISC');
  await upload.click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('region', { name: 'Uploads' }).getByRole('row', { name: /scan\.pdf/ });
  await expect(row).toContainText('sent', { timeout: 60_000 });
});

test('production asks for its word before a document is stored', async ({ desk, page }) => {
  await desk.call('secrets_use_memory', {});
  const { profile } = (await desk.call('profile_save', PRODUCTION)) as { profile: { id: string } };
  await desk.call('profile_set_key', { id: profile.id, key: 'key-of-a-test-1234567890' });
  await desk.call('profile_select', { id: profile.id });
  try {
    await page.reload();
    await expect(desk.state()).toBeVisible();
    await drop(page, { 'Policy.pdf': `${PDF}% production\n%%EOF\n` });
    const dialog = page.getByRole('dialog', { name: 'Upload documents' });
    await expect(dialog).toContainText('Head office');
    await choose(page, 'Policy.pdf', '1042', 'Transaction number');
    await clean(page, 'files of several transactions');
    const upload = dialog.getByRole('button', { name: 'Upload 1 document' });
    await expect(upload).toBeDisabled();
    await dialog.getByLabel('Type Head office to send to production').fill('head office');
    await clean(page, 'confirmation of a document to production');
    await upload.click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole('region', { name: 'Uploads' }).getByRole('row', { name: /Policy\.pdf.*1042/ });
    await expect(row).toBeVisible();
  } finally {
    await desk.call('profile_select', { id: 'practice' });
  }
});
