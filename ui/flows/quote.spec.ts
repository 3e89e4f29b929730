import { BEHIND_POPUP, clean } from './axe';
import { expect, test } from './desk';

test('Texas with several lines, by keyboard alone, to the cent', async ({ desk, page }) => {
  await expect(desk.state()).toBeFocused();
  await desk.type('tex');
  await desk.key('Tab');
  await desk.type('pn');
  await desk.key('Tab');
  await desk.type('2/23/2026');
  await desk.key('Tab');
  await desk.key('Tab');
  await desk.type('general liab');
  await desk.key('Tab');
  await desk.type('9000');
  await desk.key('Control+Enter');
  await desk.type('1002');
  await desk.key('Tab');
  await desk.type('$521');
  // Past the remove button and Add line to the fees.
  for (let i = 0; i < 3; i++) await desk.key('Tab');
  await desk.type('400');
  // Past the question who charges it, which Texas asks for a fee.
  for (let i = 0; i < 2; i++) await desk.key('Tab');
  await desk.type('150.42');
  await expect(page.getByText('Estimate, built-in rules')).toBeVisible();
  await expect(desk.total()).toHaveText('$10,563.91');
  await desk.key('Enter');
  await expect(page.getByText(/^Service, \d/)).toBeVisible();
  await expect(desk.amount('Surplus Lines Tax')).toHaveText('488.46');
  await expect(desk.amount('Stamping Fee')).toHaveText('4.03');
  await expect(desk.amount('Taxes and state fees')).toHaveText('492.49');
  await expect(desk.total()).toHaveText('$10,563.91');
  await expect(page.locator('.spoken')).toContainText('Total due for Texas $10,563.91');
});

test('a day is chosen from a calendar, by keyboard and mouse', async ({ desk, page }) => {
  const date = page.getByRole('textbox', { name: 'Policy effective' });
  await desk.effective('2/23/2026');
  await date.focus();
  await desk.key('Alt+ArrowDown');
  const calendar = page.getByRole('dialog', { name: 'Policy effective' });
  await expect(calendar.getByRole('grid', { name: /February 2026/ })).toBeVisible();
  await expect(calendar.getByRole('button', { name: /Monday, February 23, 2026/ })).toBeFocused();
  await clean(page, 'a calendar at a field', BEHIND_POPUP);
  await desk.key('ArrowRight');
  await desk.key('Enter');
  await expect(date).toHaveValue('02/24/2026');
  await expect(date).toBeFocused();
  await desk.key('Alt+ArrowDown');
  await expect(calendar).toBeVisible();
  await desk.key('Escape');
  await expect(date).toHaveValue('02/24/2026');
  await expect(date).toBeFocused();

  await page.getByRole('button', { name: 'Calendar for Policy effective' }).click();
  await calendar.getByRole('button', { name: 'Next' }).first().click();
  await calendar.getByRole('button', { name: /March 2, 2026/ }).click();
  await expect(date).toHaveValue('03/02/2026');
  await expect(date).toBeFocused();
});

test('every charge explains itself, by keyboard', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
  await desk.ask();
  const charge = page.getByRole('button', { name: /Surplus Lines Tax/ });
  await charge.focus();
  await desk.key('Enter');
  await expect(charge).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('.why')).toContainText('4.85%');
  await expect(page.locator('.why .tag').getByText(/^confirmed/)).toBeVisible();
  await expect(page.locator('.why .link-button').first()).toBeVisible();
  await desk.key('Enter');
  await expect(charge).toHaveAttribute('aria-expanded', 'false');
});

interface Case {
  name: string;
  state: string;
  date: string;
  line: [string, string];
  rows: [string, string][];
}

// Amounts worked out by hand from the rates that the rule files cite.
const CASES: Case[] = [
  {
    name: 'California',
    state: 'CA',
    date: '3/1/2026',
    line: ['1002', '5,200'],
    rows: [['Surplus Lines Tax', '156.00']],
  },
  {
    name: 'Florida',
    state: 'FL',
    date: '3/1/2026',
    line: ['1001', '3,250'],
    rows: [
      ['Florida Tax', '160.55'],
      ['FSLSO Fee', '1.95'],
    ],
  },
  {
    name: 'Illinois',
    state: 'IL',
    date: '1/20/2026',
    line: ['1004', '2,000'],
    rows: [
      ['Surplus Lines Tax', '70.00'],
      ['Fire Marshal Tax', '8.00'],
    ],
  },
  {
    name: 'Oregon',
    state: 'OR',
    date: '3/1/2026',
    line: ['1002', '6,050'],
    rows: [
      ['Surplus Lines Tax', '121.00'],
      ['Fire Marshal Tax', '18.15'],
    ],
  },
];

for (const each of CASES) {
  test(`${each.name}: the service's amounts with their own titles`, async ({ desk }) => {
    await desk.chooseState(each.state);
    await desk.effective(each.date);
    await desk.line(...each.line);
    await desk.ask();
    for (const [title, amount] of each.rows) await expect(desk.amount(title)).toHaveText(amount);
  });
}

test('Iowa: the rate of the policy date, 2026 and 2027', async ({ desk, page }) => {
  const amounts: string[] = [];
  for (const date of ['6/1/2026', '6/1/2027']) {
    await desk.key('Control+n');
    await desk.chooseState('IA');
    await desk.effective(date);
    await desk.line('1002', '10000');
    await desk.ask();
    amounts.push((await desk.amount('Surplus Lines Tax').textContent()) ?? '');
    await expect(page.locator('table.result')).toContainText('%');
  }
  expect(amounts[0]).not.toBe(amounts[1]);
});

test('Kentucky asks where the risk is and taxes for Lexington-Fayette', async ({ desk, page }) => {
  await desk.chooseState('KY');
  await desk.effective('3/1/2026');
  const municipality = page.getByRole('combobox', { name: 'Taxing city or county' });
  await municipality.focus();
  await desk.type('lexington');
  await desk.key('Tab');
  await expect(municipality).toHaveValue(/Lexington/);
  await desk.line('1002', '1000');
  await desk.ask();
  await expect(desk.amount('Surcharge')).toHaveText('18.00');
  await expect(page.locator('table.result')).toContainText(/Lexington|Municipal/i);
});

test('New Hampshire asks whether a commission is received', async ({ desk, page }) => {
  await desk.chooseState('NH');
  await expect(page.getByLabel('Commission received')).toBeVisible();
  await desk.chooseState('TX');
  await expect(page.getByLabel('Commission received')).toBeHidden();
});

test('a return premium is a credit, with minus and word', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.chooseType('RPE');
  await desk.effective('2/23/2026');
  await desk.effective('5/1/2026', 'Transaction effective');
  await desk.line('1002', '1000');
  await desk.ask();
  await expect(desk.amount('Surplus Lines Tax')).toHaveText('\u221248.50');
  await expect(desk.total()).toContainText('credit');
  await expect(desk.total()).toContainText('\u2212$1,048.90');
  await expect(page.locator('.spoken')).toContainText('a credit');
});

test('Enter on an empty form names the fields and goes to the first', async ({ desk, page }) => {
  await page.getByLabel('Broker or agency fee').focus();
  await desk.key('Enter');
  await expect(page.locator('.problem', { hasText: 'Choose the state of the risk' })).toBeVisible();
  await expect(desk.state()).toBeFocused();
  await desk.chooseState('TX');
  await expect(page.locator('.problem', { hasText: 'Choose the state of the risk' })).toBeHidden();
});

test('amounts and dates are read as typed, and never lost when they cannot be', async ({ desk, page }) => {
  const fee = page.getByLabel('Broker or agency fee');
  await fee.fill('$1250.5');
  await desk.key('Tab');
  await expect(fee).toHaveValue('1,250.50');
  await fee.fill('12,5');
  await desk.key('Tab');
  await expect(fee).toHaveValue('12,5');
  await expect(page.getByText('“12,5” is not an amount.', { exact: false })).toBeVisible();
  const date = page.getByLabel('Policy effective', { exact: true });
  await date.fill('022326');
  await expect(page.getByText('Mon', { exact: true })).toBeVisible();
  await desk.key('Tab');
  await expect(date).toHaveValue('02/23/2026');
  await date.focus();
  await desk.key('ArrowUp');
  await expect(date).toHaveValue('02/24/2026');
});

test('a changed form makes the answer stale, the same form typed again does not', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '9521');
  await desk.ask();
  await page.getByLabel('Premium of line 1').fill('9,521.00');
  await expect(page.getByText(/^Service, \d/)).toBeVisible();
  await page.getByLabel('Premium of line 1').fill('9522');
  await expect(page.getByText('The form changed after the service calculated')).toBeVisible();
  await expect(page.getByText('Estimate, built-in rules')).toBeVisible();
});

test('what is saved or filed in the same breath has the taxes of what was typed', async ({ desk, page }) => {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
  await desk.line('1002', '10000');
  await desk.ask();
  const typeAnother = async (amount: string) => {
    await page.getByLabel('Premium of line 1').click();
    await desk.key('Control+a');
    await desk.type(amount);
  };
  await typeAnother('11000');
  // A key that is held saves one quote.
  for (let press = 0; press < 4; press += 1) await desk.key('Control+s');
  await expect(page.getByText(/^Saved as /)).toBeVisible();
  await typeAnother('12000');
  await desk.key('Control+Shift+N');
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction from a quote' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^Surplus lines tax/ }).getByRole('textbox')).toHaveValue('582.00');
  await desk.key('Control+3');
  await expect(page.getByText('11,537.90')).toHaveCount(1);
});

test('stamp wording is copied, notes and documents are there', async ({ desk, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.chooseState('IL');
  await desk.effective('1/20/2026');
  await desk.line('1002', '800');
  await desk.ask();
  await page.getByRole('button', { name: 'Copy with formatting' }).first().click();
  await expect(page.getByText('Stamp wording copied with formatting.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Illinois');
  await page.getByRole('tab', { name: /Notes/ }).click();
  await expect(page.getByRole('tabpanel')).toBeVisible();
  await page.getByRole('tab', { name: /Documents/ }).click();
  await expect(page.getByRole('tabpanel')).toBeVisible();
  await desk.key('Control+Shift+C');
  await expect(page.getByText('Copied as a table.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Surplus Lines Tax\t');
});

test('letters typed over a choice are all kept', async ({ desk, page }) => {
  const transaction = page.getByRole('combobox', { name: 'Transaction' });
  await transaction.focus();
  for (const letter of 'New') {
    await desk.type(letter);
    await page.waitForTimeout(60);
  }
  await expect(transaction).toHaveValue('New');
  await desk.key('Enter');
  await expect(transaction).toHaveValue('New policy');
  await expect(transaction).toBeFocused();
});

test('a quote that was filed opens its draft, and is filed again only when asked', async ({ desk, page }) => {
  await desk.chooseState('tex');
  await desk.line('1002', '1000');
  await desk.ask();
  const file = async () => {
    await desk.key('Control+1');
    await page.getByRole('button', { name: /^File this quote/ }).click();
  };
  await file();
  await page.getByRole('textbox', { name: 'Policy number', exact: true }).fill('FILED-1');
  await page.getByRole('textbox', { name: 'Insured', exact: true }).fill('Example Diner LLC');
  const heading = page.getByRole('heading', { level: 1, name: 'Transaction FILED-1' });
  await expect(heading).toBeVisible();
  await file();
  await expect(page.getByText('This quote has a draft already')).toBeVisible();
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: /^Send transaction/ }).click();
  await page.getByRole('button', { name: /^Send 1 transaction/ }).click();
  await expect(page.locator('.batch-progress[data-state="processed"]')).toBeVisible({ timeout: 60_000 });
  await file();
  const dialog = page.getByRole('dialog', { name: 'This quote was filed before' });
  await expect(dialog).toContainText('A new one would be a second filing');
  await clean(page, 'filed before');
  await dialog.getByRole('button', { name: 'Show the transaction' }).click();
  await expect(heading).toBeVisible();
});
