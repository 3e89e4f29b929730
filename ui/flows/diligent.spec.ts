import type { Page } from '@playwright/test';

import { clean } from './axe';
import { expect, test } from './desk';
import { transaction } from './transactions';

test.use({ house: 'diligent' });

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Diligent effort' });
const check = (page: Page) => page.getByRole('region', { name: 'Check' });
const row = (page: Page, number: number) => page.getByRole('group', { name: `Declination ${number}`, exact: true });

/** A field of the card with this name. */
const inCard = (page: Page, card: string, label: string) =>
  page.getByRole('region', { name: card, exact: true }).getByLabel(label, { exact: true });

async function declined(page: Page, number: number, naic: string): Promise<void> {
  await row(page, number).getByLabel('Carrier').fill(`Admitted Carrier ${number}`);
  await row(page, number).getByLabel('NAIC').fill(naic);
  await row(page, number).getByLabel('Contact').fill('A. Person');
  await row(page, number).getByLabel('Date', { exact: true }).fill('2/2/2026');
  await row(page, number).getByLabel('Reason').fill('Class of business not written');
}

test('a Texas form is begun from the quote, checked, filled, looked at and remembered', async ({ desk, page }) => {
  test.setTimeout(120_000);
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
  await desk.key('Control+Shift+F');
  await expect(heading(page)).toBeVisible();
  await clean(page, 'empty diligent effort forms');
  await page.getByRole('button', { name: 'Start from this quote' }).click();
  const asks = page.getByRole('region', { name: 'What Texas requires' });
  await expect(asks).toContainText('Required');
  await expect(asks).toContainText('sources conflict');
  await expect(asks.getByRole('button', { name: 'sltx.org' })).toBeVisible();
  await inCard(page, 'Insured', 'Named insured *').fill('Café Example LLC');
  await inCard(page, 'Insured', 'Mailing address *').fill('12 Main Street, Austin');
  await inCard(page, 'Coverage', 'Surplus lines insurer *').fill('Surplus Insurance Company');
  await inCard(page, 'Producing agent', 'Producing agent *').fill('P. Agent');
  await inCard(page, 'Producing agent', 'License number *').fill('1234');
  await inCard(page, 'Surplus lines licensee', 'Surplus lines licensee *').fill('B. Broker');
  await inCard(page, 'Surplus lines licensee', 'License number *').fill('77');
  await declined(page, 1, '10001');
  await declined(page, 2, '10002');
  await declined(page, 3, '10002');
  await expect(check(page)).toContainText('3 declinations of different carriers in time; 2 can be counted');
  await expect(row(page, 3)).toContainText('This is the carrier of declination 2');
  await clean(page, 'a form with a problem');
  await row(page, 3).getByLabel('NAIC').fill('10003');
  await expect(check(page)).toContainText('complete');
  await desk.key('Control+Enter');
  const filled = page.getByRole('region', { name: 'Diligent effort form' });
  await expect(filled).toContainText('Filled by the service');
  await expect(filled.getByRole('img', { name: /page 1 of \d.*Café Example LLC/ })).toBeVisible();
  await clean(page, 'a filled form');
  const stale = page.getByText('Entries changed after these forms were filled', { exact: false });
  await expect(stale).toBeHidden();
  await inCard(page, 'Policy', 'Policy or binder number').fill('P-1');
  await expect(stale).toBeVisible();
  await desk.key('Control+Enter');
  await expect(stale).toBeHidden();
  await expect(filled.getByRole('img', { name: /page 1 of \d.*P-1/ })).toBeVisible();
  await filled.getByRole('button', { name: /^Upload/ }).click();
  await expect(page.getByRole('dialog', { name: 'Upload to a transaction' })).toBeVisible();
  await clean(page, 'upload of a form');
  await page.getByRole('dialog').getByLabel('Transaction number').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText(/Uploading .* to transaction 1\./)).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('combobox', { name: 'State of the risk' }).fill('Wyoming');
  await desk.key('Tab');
  await row(page, 1).getByLabel('Carrier').fill('Admitted Carrier 2');
  await row(page, 1).getByLabel('NAIC').focus();
  await expect(row(page, 1).getByLabel('NAIC')).toHaveValue('10002');
});

test('a state that repealed it says so with its source, and offers nothing to fill', async ({ desk, page }) => {
  await desk.key('Control+Shift+F');
  await expect(heading(page)).toBeVisible();
  await page.getByRole('combobox', { name: 'State of the risk' }).fill('Louisiana');
  await desk.key('Tab');
  const asks = page.getByRole('region', { name: 'What Louisiana requires' });
  await expect(asks).toContainText('Repealed');
  await expect(asks).toContainText('No form for this transaction and date.');
  await expect(page.getByRole('button', { name: 'Fill forms' })).toBeDisabled();
  await clean(page, 'a state without forms');
});

test('a form begun from a transaction is filled and uploaded to it in one step', async ({ desk, page }) => {
  test.setTimeout(120_000);
  const { id, policy } = await transaction(desk, 'TX');
  await desk.key('Control+6');
  await page.getByRole('button', { name: `Documents for ${policy}` }).click();
  await page.getByRole('button', { name: 'Fill forms' }).click();
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'State of the risk' })).toHaveValue('Texas');
  await expect(inCard(page, 'Insured', 'Named insured *')).toHaveValue('Example Diner LLC');
  await expect(inCard(page, 'Policy', 'Policy or binder number')).toHaveValue(policy);
  await expect(inCard(page, 'Coverage', 'Kind of coverage and description of the risk *')).toHaveValue(/a warehouse$/);
  await expect(inCard(page, 'Coverage', 'Its NAIC or alien number')).toHaveValue('AA-1120337');
  await inCard(page, 'Insured', 'Mailing address *').fill('12 Main Street, Austin');
  await inCard(page, 'Coverage', 'Surplus lines insurer *').fill('Surplus Insurance Company');
  await inCard(page, 'Producing agent', 'Producing agent *').fill('P. Agent');
  await inCard(page, 'Producing agent', 'License number *').fill('1234');
  await inCard(page, 'Surplus lines licensee', 'Surplus lines licensee *').fill('B. Broker');
  await inCard(page, 'Surplus lines licensee', 'License number *').fill('77');
  for (const [number, naic] of ['10001', '10002', '10003'].entries()) await declined(page, number + 1, naic);
  await expect(check(page)).toContainText('complete');
  await desk.key('Control+Enter');
  const filled = page.getByRole('region', { name: 'Diligent effort form' });
  await expect(filled.getByRole('img', { name: new RegExp(`page 1 of \\d.*${policy}`) })).toBeVisible();
  await filled.getByRole('button', { name: /^Upload/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload to a transaction' });
  await expect(dialog.getByLabel('Transaction number')).toHaveValue(id);
  await expect(dialog).toContainText('Nothing leaves this computer');
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(dialog).toBeHidden();
  await desk.key('Control+6');
  const kept = page.getByRole('region', { name: 'At the service' });
  await expect(kept.getByRole('row', { name: /DEF/ })).toBeVisible({ timeout: 60_000 });
});
