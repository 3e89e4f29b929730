import { clean } from './axe';
import { expect, test } from './desk';

test.beforeEach(async ({ desk }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
});

test('compare three states, by keyboard', async ({ desk, page }) => {
  await desk.key('Control+2');
  const add = page.getByRole('combobox', { name: /Add a state/ });
  await expect(add).toBeFocused();
  for (const state of ['flo', 'CA']) {
    await desk.type(state);
    await desk.key('Enter');
    await expect(add).toHaveValue('');
    await expect(add).toBeFocused();
  }
  const head = page.locator('.compare-table thead');
  await expect(head).toContainText('Texas');
  await expect(head).toContainText('Florida');
  await expect(head).toContainText('California');
  const total = page.locator('.compare-table tr', { hasText: 'Total due' }).locator('td');
  await expect(total).toHaveCount(3);
  await expect(total.first()).toContainText('9,986.58');
  await expect(total.nth(1)).toContainText(/[+\u2212]/);
});

test('save, start over, reopen, duplicate', async ({ desk, page }) => {
  await desk.ask();
  await desk.key('Control+s');
  await expect(page.getByText(/^Saved as /)).toBeVisible();
  await desk.key('Control+n');
  await expect(desk.state()).toHaveValue('');
  await desk.key('Control+o');
  await expect(page.getByRole('dialog')).toBeVisible();
  await desk.type('tex');
  await desk.key('Enter');
  await expect(desk.state()).toHaveValue('Texas');
  await expect(page.getByLabel('Premium of line 1')).toHaveValue(/9,?521/);
  await desk.key('Control+d');
  await expect(page.getByText('You’re now editing a copy', { exact: false })).toBeVisible();
  await desk.key('Control+3');
  await expect(page.getByRole('region', { name: 'Saved' }).getByRole('button', { name: /^TX/ }).first()).toBeVisible();
});

test('the draft survives the page', async ({ desk, page }) => {
  await expect(page.getByText(/Draft saved \d/)).toBeVisible();
  await page.reload();
  await expect(desk.state()).toHaveValue('Texas');
  await expect(page.getByLabel('Premium of line 1')).toHaveValue(/9,?521/);
});

test('the quote is printed to a PDF', async ({ desk, page }) => {
  await desk.ask();
  await desk.key('Control+p');
  const sheet = page.getByRole('dialog', { name: 'Sheet for the client' });
  await expect(sheet.getByRole('img', { name: /page 1 of/ })).toContainText('$');
  await sheet.getByLabel('Carrier').fill('Example Specialty');
  await expect(sheet.getByRole('img', { name: /Example Specialty/ })).toBeVisible();
  await clean(page, 'sheet for the client');
  // What is printed is the pages alone.
  await page.emulateMedia({ media: 'print' });
  await expect(sheet.getByRole('img', { name: /page 1 of/ })).toBeVisible();
  await expect(sheet.getByRole('textbox', { name: 'Carrier' })).toBeHidden();
  await expect(sheet.getByRole('button', { name: 'Save as PDF' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await sheet.getByRole('button', { name: 'Save as PDF' }).click();
  await expect(page.getByText(/^Saved .*\.pdf\./)).toBeVisible();
});

test('the palette finds actions, states and themes', async ({ desk, page }) => {
  await desk.key('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await desk.type('quote for flo');
  await desk.key('Enter');
  await expect(desk.state()).toHaveValue('Florida');
  await desk.key('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await desk.type('dark');
  await desk.key('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await desk.key('Control+k');
  await desk.type('rate changes');
  await desk.key('Enter');
  await expect(page.getByRole('dialog', { name: 'Rate changes' })).toContainText('stamping fee 0.10% → 0.30%');
  await desk.key('Escape');
  await desk.key('Control+k');
  await desk.key('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await desk.key('F1');
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help.getByRole('region', { name: 'Quote taxes' })).toContainText('Type the state');
  await help.getByLabel('Search the guide').fill('affidavit signed');
  await expect(help.getByRole('region', { name: 'Glossary: Insurance' })).toContainText('A signed statement');
  await help.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Calculate taxes');
});

test('settings: themes, size, connection test, a production profile that cannot be missed', async ({ desk, page }) => {
  await desk.key('Control+,');
  await page.getByRole('button', { name: /^Appearance/ }).click();
  await page.getByLabel('High contrast').check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'contrast');
  await page.getByRole('button', { name: /Larger/ }).click();
  await expect(page.getByText('110%')).toBeVisible();
  await desk.key('Control+0');
  await page.getByRole('button', { name: /^Profiles/ }).click();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('all checks passed', { exact: false })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Add profile' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Harbor E&S Agency');
  await page.getByRole('button', { name: /Environment/ }).click();
  await page.getByRole('option', { name: /Production/ }).click();
  await page.getByLabel('Service address').fill('http://api.example.com');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.getByLabel('Service address').fill('https://api.example.com');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByRole('button', { name: 'Use this profile' })).toBeVisible();
  await desk.key('Control+Shift+P');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Harbor/ })
    .click();
  await expect(page.locator('.frame')).toHaveAttribute('data-environment', 'production');
  await expect(page.locator('.side .band')).toHaveText('Production');
  await desk.key('Control+1');
  await page.getByLabel('Broker or agency fee').focus();
  await desk.key('Enter');
  await expect(page.getByRole('alert')).toContainText('This profile has no API key or sign-in yet');
  await expect(page.getByText('Estimate, built-in rules')).toBeVisible();
  await desk.call('profile_select', { id: 'practice' });
});

test('nothing scrolls sideways at 900 x 600 or at twice the size', async ({ desk, page }) => {
  await desk.ask();
  const sideways = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth > innerWidth || document.body.scrollHeight > innerHeight + 1,
    );
  expect(await sideways()).toBe(false);
  await page.setViewportSize({ width: 900, height: 600 });
  expect(await sideways()).toBe(false);
  await expect(page.getByRole('button', { name: /Calculate taxes/ })).toBeInViewport();
  await page.setViewportSize({ width: 1360, height: 860 });
  await desk.call('settings_save', { theme: 'system', zoom: 200, agency: '', first_view: 'quote' });
  await expect.poll(() => desk.call('draft_load', {})).toMatchObject({ request: { state: 'TX' } });
  await page.reload();
  await expect(desk.state()).toHaveValue('Texas');
  expect(await sideways()).toBe(false);
  await expect(page.getByRole('button', { name: /Calculate taxes/ })).toBeInViewport();
});
