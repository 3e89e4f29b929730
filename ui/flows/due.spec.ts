import { clean } from './axe';
import { expect, test } from './desk';
import { transaction } from './transactions';

test.use({ house: 'due' });
test.describe.configure({ mode: 'serial' });

test('what is due is listed in a table and a calendar, says why, and opens its transaction', async ({ desk, page }) => {
  test.setTimeout(120_000);
  const { policy } = await transaction(desk, 'NY');
  await desk.key('Control+7');
  await expect(page.getByRole('heading', { level: 1, name: 'Due dates' })).toBeVisible();
  const table = page.getByRole('region', { name: 'What is due' });
  const filing = table.getByRole('row', { name: new RegExp(`Filing with ELANY.*${policy}`) });
  await expect(filing).toContainText('Apr 9, 2026');
  await clean(page, 'due dates as a table');
  // At most two lines, also on a small screen at 150 %.
  await page.setViewportSize({ width: 853, height: 480 });
  for (const row of await table.locator('tbody tr').all()) expect((await row.boundingBox())?.height).toBeLessThan(52);
  await filing.getByRole('button', { name: /^Details/ }).click();
  const dialog = page.getByRole('dialog', { name: 'NY: Filing with ELANY' });
  await expect(dialog).toContainText('45 days after procurement');
  await expect(dialog).toContainText('confirmed (official)');
  await clean(page, 'why a date');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('button', { name: 'Calendar', exact: true }).click();
  const calendar = page.getByRole('region', { name: 'Calendar' });
  await expect(calendar).toBeVisible();
  const first = calendar.getByRole('button', { name: /^First due/ });
  if (await first.isVisible()) await first.click();
  await expect(calendar.getByRole('button', { name: /^NY Filing with ELANY/ }).first()).toBeVisible();
  await clean(page, 'due dates by month');
  await calendar
    .getByRole('button', { name: /^NY Filing with ELANY/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Open transaction' }).click();
  const detail = page.getByRole('complementary', { name: 'Transaction' });
  await expect(detail.getByRole('heading', { level: 2, name: policy })).toBeVisible();
  await expect(detail.getByRole('region', { name: 'Transaction details' })).toBeFocused();
  await clean(page, 'a transaction opened from its due date');
  await desk.key('Escape');
  await expect(detail).toBeHidden();
});

test('nothing is due where nothing fits', async ({ desk, page }) => {
  await desk.key('Control+7');
  await expect(page.getByRole('heading', { level: 1, name: 'Due dates' })).toBeVisible();
  await page.getByRole('button', { name: /^Type/ }).click();
  await page.getByRole('option', { name: 'Report' }).click();
  await expect(page.getByText('Nothing is due', { exact: true })).toBeVisible();
  await clean(page, 'nothing is due');
});

test('what is due for a period opens the transactions it is for, and only those', async ({ desk, page }) => {
  test.setTimeout(120_000);
  const policies = [(await transaction(desk, 'ME')).policy, (await transaction(desk, 'ME')).policy];
  const other = (await transaction(desk, 'TX')).policy;
  await desk.key('Control+7');
  const table = page.getByRole('region', { name: 'What is due' });
  const estimates = table.getByRole('row', { name: /Estimates/ });
  await expect(estimates).toContainText('2 transactions');
  // The second policy is one of those that the period is for.
  await desk.key('Control+f');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await desk.type(policies[1] ?? '');
  await expect(table.getByText(other)).toHaveCount(0);
  await expect(estimates).toContainText('2 transactions');
  await page.getByRole('textbox', { name: 'Search' }).fill('nothing like it');
  await expect(page.getByText('Nothing is due with these filters.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Search' }).fill('');
  await estimates.getByRole('button', { name: /^Details/ }).click();
  const dialog = page.getByRole('dialog', { name: 'ME: Estimates' });
  await dialog.getByRole('button', { name: 'Show transactions' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible();
  for (const policy of policies) await expect(page.getByText(policy).first()).toBeVisible();
  await expect(page.getByText(other)).toBeHidden();
  await expect(page.locator(':focus'), 'the focus is not lost').toHaveCount(1);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText(other).first()).toBeVisible();
});
