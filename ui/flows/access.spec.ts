import type { Page } from '@playwright/test';

import { clean } from './axe';
import { type Desk, expect, test } from './desk';

const THEMES = ['light', 'dark', 'contrast'] as const;

// While a list is open React Aria hides the rest of the page from screen readers; Tab closes the list first, so no focus gets there.
const BEHIND_A_LIST = ['aria-hidden-focus', 'page-has-heading-one', 'region'];

async function everyView(desk: Desk, page: Page): Promise<void> {
  await clean(page, 'empty quote');
  await desk.key('Enter');
  await clean(page, 'field errors');
  await desk.chooseState('KY');
  await desk.effective('3/1/2026');
  await desk.line('1002', '1000');
  await desk.ask();
  for (const charge of await page.locator('.charge').all()) await charge.click();
  await page.locator('.more-switch').click();
  await clean(page, 'quote with answer');
  for (const tab of [/Notes/, /Documents/]) {
    await page.getByRole('tab', { name: tab }).click();
    await clean(page, `quote, ${tab.source}`);
  }
  await desk.state().focus();
  // A list closes when the page scrolls, and the focus may have scrolled it.
  await expect(async () => {
    await desk.key('ArrowDown');
    await expect(page.getByRole('listbox')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await clean(page, 'open picker', BEHIND_A_LIST);
  await desk.key('Escape');
  await desk.key('Control+2');
  await expect(page.locator('.compare-table')).toBeVisible();
  await clean(page, 'compare');
  await desk.key('Control+3');
  await expect(page.getByRole('heading', { level: 1, name: 'Saved quotes' })).toBeVisible();
  await clean(page, 'saved quotes');
  await desk.key('Control+4');
  await expect(page.getByRole('button', { name: 'Try a sample' })).toBeVisible();
  await clean(page, 'batches');
  await desk.sample();
  await clean(page, 'match columns');
  await page.getByRole('button', { name: /^Review \d+ rows/ }).click();
  await page.getByRole('grid').focus();
  await desk.key('F8');
  await expect(page.getByRole('group', { name: 'Issues in this cell' })).toBeVisible();
  await page.getByRole('button', { name: 'By state' }).click();
  await clean(page, 'review');
  await desk.key('Control+,');
  for (const place of ['Profiles', 'Keychain', 'Data and backups', 'Lock', 'Agency', 'Appearance', 'About']) {
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('button', { name: new RegExp(`^${place}`) })
      .click();
    await clean(page, `settings, ${place}`);
  }
  for (const [key, name] of [
    ['Control+k', 'palette'],
    ['Control+Shift+P', 'profile switcher'],
    ['F1', 'help'],
  ] as const) {
    await desk.key(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await clean(page, name);
    await desk.key('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
}

for (const theme of THEMES) {
  test(`axe finds nothing in any view: ${theme}`, async ({ desk, page }) => {
    test.setTimeout(240_000);
    await desk.call('settings_save', { theme, zoom: 100, agency: '', first_view: 'quote' });
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    // So that there is a count beside a view.
    await desk.chooseState('TX');
    await desk.key('Control+s');
    const count = page.getByTitle(/^\d+ in the last 7 days$/);
    await expect(count).toBeVisible();
    // Of a text in the color of what is behind it axe says nothing.
    const behind = await count.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect(count).not.toHaveCSS('color', behind);
    await desk.key('Control+n');
    await everyView(desk, page);
  });
}
