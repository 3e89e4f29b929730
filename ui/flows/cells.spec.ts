import { BEHIND_POPUP, clean } from './axe';
import { expect, test } from './desk';
import { active, chip, openReview } from './reviewGrid';

test('several ranges are counted, cleared, filled and copied; the corner fills by mouse', async ({ desk, page }) => {
  const { cell, place } = await openReview({ desk, page });
  const [insured, premium] = [await place('Insured'), await place('Premium')];

  // By mouse with Ctrl, and the last range extended with Shift.
  await cell(0, premium).click();
  await cell(2, premium).click({ modifiers: ['Control'] });
  await cell(4, premium).click({ modifiers: ['Shift'] });
  await expect(page.getByText('Selected 4 sum 4,409.00 average 1,102.25')).toBeVisible();
  await expect(page.locator('[role=gridcell][aria-selected=true]')).toHaveCount(4);
  await cell(1, insured).click({ modifiers: ['Control'] });
  await desk.key('Control+c');
  await expect(page.getByText(/^Only ranges with the same rows or the same columns/)).toBeVisible();

  // By keyboard, over all rows.
  await desk.key('Control+Home');
  for (let at = 0; at < premium; at += 1) await desk.key('ArrowRight');
  await desk.key('Control+Shift+ArrowDown');
  await expect(page.getByText('Selected 300 sum 374,850.00 average 1,249.50')).toBeVisible();
  await desk.key('Control+Home');
  for (let at = 0; at < insured; at += 1) await desk.key('ArrowRight');
  await desk.key('Shift+ArrowDown');
  await desk.key('Control+Shift+a');
  for (let at = 0; at < 3; at += 1) await desk.key('ArrowDown');
  await desk.key('Control+c');
  await expect(page.getByText('Copied 3 cells.')).toBeVisible();
  await desk.key('Delete');
  await expect(chip(page, 'Changed')).toContainText('3');
  await desk.key('Control+z');
  await expect(chip(page, 'Changed')).toContainText('0');

  // Two ranges are filled down as one step.
  await cell(0, insured).click();
  await cell(2, insured).click({ modifiers: ['Shift'] });
  await cell(10, insured).click({ modifiers: ['Control'] });
  await cell(11, insured).click({ modifiers: ['Shift'] });
  await desk.key('Control+d');
  await expect(page.getByText(/^Filled 3 cells\./)).toBeVisible();
  await expect(cell(2, insured)).toContainText('Insured 1');
  await expect(cell(11, insured)).toContainText('Insured 11');
  await desk.key('Control+z');
  await expect(cell(2, insured)).toContainText('Insured 3');

  // The corner is dragged over four rows.
  await cell(0, insured).click();
  const corner = await page.locator('.fill-handle').boundingBox();
  const last = await cell(4, insured).boundingBox();
  if (!corner || !last) throw new Error('The corner of the selection is not there.');
  await page.mouse.move(corner.x + 4, corner.y + 4);
  await page.mouse.down();
  await page.mouse.move(last.x + 20, last.y + 5, { steps: 6 });
  await expect(page.locator('.fill-target')).toBeVisible();
  await page.mouse.up();
  await expect(page.getByText(/^Filled 4 cells\./)).toBeVisible();
  await expect(cell(4, insured)).toContainText('Insured 1');
  await expect(cell(5, insured)).toContainText('Insured 6');
  await desk.key('Control+z');
  await expect(cell(4, insured)).toContainText('Insured 5');
});

test('codes are chosen from a list and dates from a calendar, by keyboard and mouse', async ({ desk, page }) => {
  const { cell, grid, place } = await openReview({ desk, page });
  const [state, effective] = [await place('State'), await place('Effective')];

  await cell(0, state).click();
  await desk.key('Alt+ArrowDown');
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option')).toHaveCount(53);
  await expect(page.getByRole('combobox', { name: 'State of the risk, row 2' })).toBeFocused();
  await clean(page, 'list in a cell', BEHIND_POPUP);
  await desk.type('louis');
  await expect(list.getByRole('option')).toHaveCount(1);
  await desk.key('ArrowDown');
  await desk.key('Enter');
  await expect(cell(0, state)).toContainText('LA');
  await expect(grid).toBeFocused();
  // Enter went on to the next row; a full name is its code.
  await desk.type('oklahoma');
  await desk.key('Enter');
  await expect(cell(1, state)).toContainText('OK');
  await cell(2, state).click();
  await page.locator('.cell-arrow.alone').click();
  await list.getByRole('option', { name: 'Nevada' }).click();
  await expect(cell(2, state)).toContainText('NV');
  await expect(chip(page, 'Changed')).toContainText('3');

  // The column writes its dates as 02/23/2026.
  await cell(0, effective).click();
  await desk.key('Alt+ArrowDown');
  await expect(page.getByRole('grid', { name: /February 2026/ })).toBeVisible();
  await clean(page, 'calendar in a cell', BEHIND_POPUP);
  await desk.key('ArrowRight');
  await desk.key('Enter');
  await expect(cell(0, effective)).toContainText('02/24/2026');
  await expect(grid).toBeFocused();
  await desk.key('Alt+ArrowDown');
  await expect(page.getByRole('grid', { name: /February 2026/ })).toBeVisible();
  await desk.key('Escape');
  await expect(grid).toBeFocused();
  await desk.type('2/25/2026');
  await desk.key('Enter');
  await expect(cell(0, effective)).toContainText('2/25/2026');
});

test('a heading is dragged to another place, and Escape leaves it where it was', async ({ desk, page }) => {
  const { heads, place } = await openReview({ desk, page });
  const drag = async (title: string, before: string, drop_: boolean) => {
    const from = await heads.nth((await place(title)) + 1).boundingBox();
    const to = await heads.nth((await place(before)) + 1).boundingBox();
    if (!from || !to) throw new Error('A heading is not there.');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 4, to.y + to.height / 2, { steps: 8 });
    await expect(page.locator('.landing-mark')).toBeVisible();
    if (!drop_) await desk.key('Escape');
    await page.mouse.up();
    await expect(page.locator('.landing-mark')).toBeHidden();
  };
  const [state, insured] = [await place('State'), await place('Insured')];
  expect(insured).toBeGreaterThan(state);
  await drag('Insured', 'State', false);
  expect(await place('Insured')).toBe(insured);
  await drag('Insured', 'State', true);
  await expect.poll(() => place('Insured')).toBe(state);
  await expect(heads.nth(state + 1)).toHaveText('Insured');
  await expect
    .poll(async () => ((await desk.call('grid_layout', { name: '' })) as { order: string[] }).order[state])
    .toBe('mailing_insured_name');

  // What would be replaced is named as its column is.
  await desk.key('Control+Home');
  await expect.poll(() => active(page)).toBe('Insured 1');
  await desk.key('Control+h');
  await expect(page.getByRole('dialog', { name: 'Find and replace' })).toBeVisible();
  await desk.type('insured 29');
  await expect(page.getByRole('dialog').getByRole('cell', { name: 'Insured', exact: true }).first()).toBeVisible();
  await desk.key('Escape');
  await desk.call('grid_layout_save', {
    mapping: '',
    layout: { widths: {}, order: [], hidden: [], frozen: 0, file_order: false, shows_blank: false },
  });
});
