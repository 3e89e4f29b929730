import { expect, test } from './desk';

const PASSPHRASE = 'correct horse';

test('a locked window shows nothing and opens with the passphrase', async ({ page, desk }) => {
  await desk.open();
  await desk.key('Control+,');
  await page.getByRole('button', { name: /^Lock/ }).click();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Repeat the passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByRole('heading', { name: 'Bordereau locks after 15 minutes without input' })).toBeVisible();
  await page.getByRole('button', { name: 'Lock now' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Bordereau is locked' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByLabel('Passphrase')).toBeFocused();
  await desk.type(PASSPHRASE);
  await desk.key('Enter');
  // Where one was.
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bordereau is locked' })).toBeVisible();
  await expect(page.getByLabel('Passphrase')).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Bordereau is locked' })).toBeVisible();
  await desk.type('wrong horse');
  await desk.key('Enter');
  await expect(page.getByText("This isn't the passphrase.")).toBeVisible();
  await desk.type(PASSPHRASE);
  await desk.key('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Quote' })).toBeVisible();

  await desk.key('Control+,');
  await page.getByRole('button', { name: /^Lock/ }).click();
  await page.getByLabel('never').check();
  await page.getByLabel('Current passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByRole('heading', { name: 'The lock is off' })).toBeVisible();
});
