import { clean } from './axe';
import { expect, test } from './desk';
import { transaction } from './transactions';

test.use({ house: 'today' });

test('the first view shows the way in, then the day', async ({ desk, page }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1280, height: 720 });
  await desk.call('settings_save', { theme: 'light', zoom: 100, agency: '' });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('button', { name: 'Connect account' })).toBeVisible();
  await clean(page, 'first steps');
  await page.screenshot({ path: 'test-results/today-steps.png' });

  await steps.getByRole('button', { name: 'Go to quote' }).click();
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '1000');
  await desk.ask();
  await transaction(desk, 'TX');
  await transaction(desk, 'FL');
  await desk.key('Control+Shift+D');
  await expect(steps.getByText('done')).toHaveCount(2);
  const due = page.getByRole('region', { name: 'Overdue and due this week' });
  await expect(due.getByRole('button', { name: /^Texas.*Filing.*1 overdue/ })).toBeVisible();
  const quotes = page.getByRole('region', { name: 'Quotes of the last 7 days' });
  await expect(quotes.getByText('$')).toBeVisible();
  const views = page.getByRole('navigation', { name: 'Views' });
  await expect(views.getByRole('button', { name: /^Due dates.*overdue or due this week/ })).toBeVisible();
  await expect(views.getByRole('button', { name: /^Documents.*with documents missing/ })).toBeVisible();
  for (const theme of ['light', 'dark', 'contrast']) {
    await desk.call('settings_save', { theme, zoom: 100, agency: '' });
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expect(due).toBeVisible();
    await clean(page, `today, ${theme}`);
    await page.screenshot({ path: `test-results/today-${theme}.png` });
  }
  await steps.getByRole('button', { name: 'Hide' }).click();
  await expect(steps).toBeHidden();

  // From line to line by arrow, and one key from the subject.
  await due
    .getByRole('button', { name: /^Texas/ })
    .or(due.getByRole('button', { name: /^Florida/ }))
    .first()
    .focus();
  await desk.key('ArrowDown');
  await expect(page.locator('.today-line:focus')).toHaveCount(1);
  await due.getByRole('button', { name: /^Texas/ }).focus();
  await desk.key('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Due dates' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'State: Texas' })).toBeVisible();
});

test('All batches on Today opens the list, also by a double click', async ({ desk, page }) => {
  await desk.key('Control+4');
  await page.getByRole('button', { name: 'Try a sample' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'sample.csv' })).toBeVisible();
  await desk.key('Control+Shift+D');
  const drafts = page.getByRole('region', { name: 'Files being prepared' });
  // The second press comes where a row of the list may be by then.
  await drafts.getByRole('button', { name: 'All batches' }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: 'Batches' })).toBeFocused();
});

test('a due date is marked, and notices are switched', async ({ desk, page }) => {
  test.setTimeout(240_000);
  await transaction(desk, 'TX');
  await desk.key('Control+7');
  const filing = page.getByRole('button', { name: /^Details of Filing/ }).first();
  await filing.click();
  const dialog = page.getByRole('dialog');
  const isNotOurs = dialog.getByRole('button', { name: 'Not ours' });
  await expect(isNotOurs).toHaveAttribute('title', 'Enter the reason as the note first.');
  // What can be done about it is in sight on a small screen at 150 %.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 853, height: 480 });
  for (const name of ['Done by me', 'Not ours', 'Save note', 'Open transaction'])
    await expect(dialog.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByLabel('Note')).toBeInViewport({ ratio: 1 });
  if (size) await page.setViewportSize(size);
  await dialog.getByLabel('Note').fill('The retail agent files it.');
  await clean(page, 'a due date');
  await page.screenshot({ path: 'test-results/due-mark.png' });
  await isNotOurs.click();
  await expect(dialog).toBeHidden();
  await page.getByRole('checkbox', { name: /^Done or not ours \(1\)/ }).click();
  await expect(page.getByText('Note: The retail agent files it.')).toBeVisible();
  await page.getByRole('button', { name: 'Notices', exact: true }).click();
  await dialog.getByRole('checkbox', { name: '3 days ahead' }).click();
  await clean(page, 'notices about due dates');
  await desk.key('Escape');
  const settings = (await desk.call('settings_load', {})) as { due_notice_days: number[] };
  expect(settings.due_notice_days).toEqual([30, 15, 0]);
});

test('rates of every state, found, dated and printed', async ({ desk, page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await desk.key('Control+Shift+R');
  await expect(page.getByRole('heading', { level: 1, name: 'Rates' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Search' }).fill('texas');
  const now = page.getByRole('region', { name: /^Charged on/ });
  await expect(now.getByRole('cell', { name: '0.04%' })).toBeVisible();
  await page.getByLabel('On', { exact: true }).fill('6/1/2023');
  await expect(now.getByRole('cell', { name: '0.075%' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Announced for later' }).getByText('0.04%')).toBeVisible();
  await clean(page, 'rates');
  await page.screenshot({ path: 'test-results/rates-light.png' });
  await page.emulateMedia({ media: 'print' });
  await page.pdf({ path: 'test-results/rates.pdf', format: 'Letter' });
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await clean(page, 'rates, dark');
  await page.screenshot({ path: 'test-results/rates-dark.png' });
});
