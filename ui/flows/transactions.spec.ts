import { clean } from './axe';
import { expect, test } from './desk';
import { transaction } from './transactions';

test.use({ house: 'transactions' });

test('a transaction is found by its words, followed, narrowed and saved', async ({ desk, page }) => {
  test.setTimeout(240_000);
  await desk.key('Control+5');
  await expect(page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible();
  const texas = await transaction(desk, 'TX');
  const florida = await transaction(desk, 'FL');
  const grid = page.getByRole('grid', { name: 'Transactions' });
  await desk.key('Control+r');
  await expect(grid.getByText(texas.policy, { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(grid.getByText(florida.policy, { exact: true })).toBeVisible();
  await clean(page, 'transactions');

  const found = page.getByRole('textbox', { name: 'Find' });
  await desk.key('Control+f');
  await expect(found).toBeFocused();
  await desk.type(texas.policy.toLowerCase());
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(grid.getByText(texas.policy, { exact: true })).toBeVisible();

  await grid.focus();
  await desk.key('Enter');
  const detail = page.getByRole('complementary', { name: 'Transaction' });
  await expect(detail.getByText('Example Diner LLC').first()).toBeVisible();
  await expect(detail.getByText('Imported')).toBeVisible();
  await detail.getByRole('button', { name: 'Why $48.50?' }).click();
  await expect(detail.getByText(/4\.85/).first()).toBeVisible();
  await clean(page, 'a transaction');
  await page.getByRole('button', { name: 'Close transaction' }).click();
  await expect(detail).toBeHidden();

  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(found).toHaveValue('');
  await expect(grid.getByText(florida.policy, { exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: /^FL Florida/ }).check();
  await expect(grid.getByText(texas.policy, { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  const chart = page.getByRole('region', { name: 'Chart' });
  await expect(chart.getByRole('button', { name: /^FL Florida: premium/ })).toHaveAttribute('aria-pressed', 'true');
  await chart.getByRole('button', { name: /^TX Texas: premium/ }).click();
  await expect(grid.getByText(texas.policy, { exact: true })).toBeVisible();
  await clean(page, 'chart of transactions');
  await chart.getByRole('button', { name: 'As a table' }).click();
  await expect(chart.getByRole('rowheader', { name: 'TX Texas' })).toBeVisible();

  await page.getByRole('button', { name: 'Columns…' }).click();
  await clean(page, 'columns of transactions');
  await page.getByRole('checkbox', { name: 'Invoice' }).click();
  await expect(page.getByRole('checkbox', { name: 'Invoice' })).toBeChecked();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(grid.getByRole('columnheader', { name: 'Invoice' })).toBeVisible();
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Two states');
  await clean(page, 'saving a search');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible();
  await desk.key('Control+s');
  await expect(page.getByText(/^Saved Transactions .*\.xlsx\.$/)).toBeVisible();

  for (const theme of ['dark', 'contrast']) {
    await desk.call('settings_save', { theme, zoom: 100, agency: '', first_view: 'quote' });
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expect(desk.state()).toBeVisible();
    await desk.key('Control+5');
    await expect(grid.getByText(texas.policy, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Chart', exact: true }).click();
    await expect(chart).toBeVisible();
    await grid.focus();
    await desk.key('Enter');
    await expect(detail.getByText('Imported')).toBeVisible();
    await clean(page, `transactions, ${theme}`);
  }
});
