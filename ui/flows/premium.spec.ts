import { clean } from './axe';
import { expect, test } from './desk';

test('a total leads back to its premium', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '');
  await page.getByLabel('Broker or agency fee').fill('400');
  await page.getByLabel('Carrier or inspection fee').fill('150.42');
  await page.getByRole('button', { name: 'From a total' }).click();
  await expect(page.getByLabel('Total the client pays')).toBeFocused();
  await desk.type('10563.91');
  await expect(page.getByRole('dialog').getByText('$9,521.00')).toBeVisible();
  await clean(page, 'the premium of a total');
  await desk.key('Enter');
  await expect(page.getByLabel('Premium of line 1')).toHaveValue('9,521.00');
  await expect(desk.total()).toHaveText('$10,563.91');
});

test('whole dollars leave a total without a premium, and the nearest are offered', async ({ desk, page }) => {
  await desk.chooseState('ID');
  await desk.effective('2/23/2026');
  await desk.line('1002', '');
  await page.getByRole('button', { name: 'From a total' }).click();
  await expect(page.getByLabel('Total the client pays')).toBeFocused();
  await desk.type('986');
  await expect(page.getByText('Rounding leaves no premium for exactly this total.')).toBeVisible();
  await page.getByRole('button', { name: 'Use the premium $966.66' }).click();
  await expect(desk.total()).toHaveText('$985.66');
});

test('a canceled policy returns its premium by days and becomes a credit', async ({ desk, page }) => {
  await desk.chooseState('ID');
  await desk.effective('2/23/2026');
  await desk.line('1002', '10000');
  await page.getByRole('button', { name: 'Cancel a policy' }).click();
  await page.getByLabel(/^Canceled on/).fill('5/24/2026');
  const returned = page.getByRole('region', { name: 'What is returned' });
  await expect(returned).toContainText('275 of 365 days are left');
  await expect(returned.getByRole('row', { name: /All lines/ })).toContainText('7,534.25');
  await expect(returned).toContainText('not given back on this kind of return');
  await expect(returned).toContainText('was not found');
  await page.getByRole('button', { name: /^Return premium/ }).click();
  await page.getByRole('option', { name: /Short rate/ }).click();
  await expect(returned.getByRole('row', { name: /All lines/ })).toContainText('6,780.82');
  await clean(page, 'a cancellation');
  await page.getByRole('button', { name: 'Earned' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('for the days that a policy was in force');
  await page.getByRole('button', { name: 'Quote the credit' }).click();
  await expect(page.getByRole('combobox', { name: 'Transaction', exact: true })).toHaveValue('Pro rata cancellation');
  await expect(page.getByLabel('Premium of line 1')).toHaveValue('6,780.82');
  await expect(desk.total()).toContainText('credit');
});

test('the sheet has a plan of payments', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '10000');
  await expect(desk.total()).toHaveText('$10,489.00');
  await desk.key('Control+p');
  await page.getByLabel('Installments', { exact: true }).fill('3');
  await page.getByLabel('Down payment', { exact: true }).fill('25%');
  await page.getByLabel('Taxes and fees with the down payment').check();
  await page.getByLabel('Fee of each installment').fill('5');
  const pages = page.getByRole('region', { name: 'Pages' });
  await expect(pages).toContainText('Payment plan');
  await expect(pages).toContainText('$2,989.00');
  await expect(pages).toContainText('Mar 23, 2026');
  await expect(pages).toContainText('$10,504.00');
  await page.getByLabel('Installments', { exact: true }).fill('many');
  await expect(page.getByText('Enter a number of installments from 1 to 60.').first()).toBeVisible();
});
