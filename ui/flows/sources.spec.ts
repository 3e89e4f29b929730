import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { clean } from './axe';
import { HEAD, pictures, row } from './batchFile';
import { expect, test } from './desk';
import { drop } from './reviewGrid';

test.describe.configure({ mode: 'serial' });
test.use({ house: 'sources' });

const MAY = `${HEAD}\n${row('S', 1)}\n${row('S', 2)}\n`;
const JUNE = `${HEAD.replace('policy_number', 'Policy No')},Branch\n${row('S', 3)},North\n`;

test('several files are one batch that says what was not read', async ({ desk, page }) => {
  await desk.key('Control+4');
  await drop(page, {
    'may.csv': MAY,
    'june.csv': JUNE,
    'copy of may.csv': MAY,
    'staff.csv': 'Employee,Salary\nAda,5\n',
  });
  await expect(page.getByRole('heading', { level: 1, name: 'may.csv and 3 more' })).toBeVisible();
  const missing = page.getByRole('note', { name: 'Not read' });
  await expect(missing).toContainText('staff.csv: It has no column in common with may.csv.');
  await expect(missing).toContainText('copy of may.csv: It is the same file as may.csv');
  const columns = page.getByRole('region', { name: 'Columns' });
  await expect(columns.or(page.getByRole('grid'))).toBeVisible();
  if (await columns.isVisible()) {
    await expect(page.getByText('june.csv (1 row, with Branch)')).toBeVisible();
    await clean(page, 'several files');
    await pictures(page, 'several-match');
    await desk.key('Control+Enter');
  }
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '4');
  await clean(page, 'rows of several files');
  await pictures(page, 'several-rows');
});

test('what no column has is made by rules, remembered, and put back', async ({ desk, page }) => {
  await desk.key('Control+4');
  const text = `${HEAD.replace('physical_state', 'Location')}\n${row('S', 4).replace(',TX,', ',San Antonio TX,')}\n`;
  await drop(page, { 'split.csv': text });
  const rules = page.getByRole('region', { name: 'Rules of the mapping' });
  await expect(rules).toBeVisible();
  await rules.getByRole('button', { name: 'Split a column…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Split a column' });
  const choose = async (label: RegExp, option: string) => {
    await dialog.getByRole('button', { name: label }).click();
    await page.getByRole('listbox').getByRole('option', { name: option, exact: true }).click();
  };
  await choose(/^Column/, 'E Location');
  await choose(/^How/, 'At separators, from the end: San Antonio TX 78205');
  await choose(/^Part 1:/, 'City of the risk');
  await choose(/^Part 2:/, 'State of the risk');
  await clean(page, 'split a column');
  await pictures(page, 'split');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(rules.getByText('City of the risk: San Antonio')).toBeVisible();
  await rules.getByRole('button', { name: 'Fixed value…' }).click();
  await expect(page.getByRole('dialog', { name: 'Fixed value' })).toBeVisible();
  await pictures(page, 'fixed');
  await desk.key('Escape');
  await rules.getByRole('button', { name: 'Merge columns…' }).click();
  await expect(page.getByRole('dialog', { name: 'Merge columns' })).toBeVisible();
  await pictures(page, 'merge');
  await desk.key('Escape');
  await pictures(page, 'rules');
  await page.getByLabel('Remember as').fill('AMS nightly');
  await desk.key('Control+Enter');
  await expect(page.getByRole('grid')).toBeVisible();
  await pictures(page, 'rules-rows');
});

test('mappings are managed, and a folder is watched', async ({ desk, page }) => {
  await desk.key('Control+4');
  const all = page.getByRole('button', { name: 'All batches' });
  const mappings = page.getByRole('button', { name: 'Mappings' });
  await expect(all.or(mappings).first()).toBeVisible();
  if (await all.isVisible()) await all.click();
  await mappings.click();
  const dialog = page.getByRole('dialog', { name: 'Mappings' });
  await dialog.getByRole('button', { name: 'Earlier versions of AMS nightly' }).click();
  await expect(dialog.getByText('AMS nightly has no earlier version.')).toBeVisible();
  await clean(page, 'mappings');
  await pictures(page, 'mappings');
  await desk.key('Escape');
  const folder = join(desk.offered(''), '..', 'documents');
  mkdirSync(folder, { recursive: true });
  await page.getByRole('button', { name: 'Watch a folder…' }).click();
  const watched = page.getByRole('region', { name: 'Watched folder' });
  await expect(watched.getByRole('button', { name: 'Stop watching' })).toBeVisible();
  writeFileSync(join(folder, 'arrived.csv'), MAY.replaceAll('S-', 'W-'));
  await expect(page.getByText('arrived.csv arrived in the watched folder and is a draft under Batches.')).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Drafts' }).getByRole('button', { name: 'arrived.csv', exact: true }),
  ).toBeVisible();
  await clean(page, 'watched folder');
  await pictures(page, 'watched');
  await watched.getByRole('button', { name: 'Stop watching' }).click();
  await expect(page.getByRole('button', { name: 'Watch a folder…' })).toBeVisible();
});

test('rows of charges become transactions once each word has its field', async ({ desk, page }) => {
  await desk.key('Control+4');
  const head = 'Inv No,Policy No,Insured,Eff Date,Tran Type,Item,Payee,Item Amount,State';
  const charges = [
    ['Premium', '4250.00'],
    ['Surplus Lines Tax', '206.13'],
    ['Stamping Fee', '1.70'],
    ['Handling', '12.00'],
    ['Commission', '-425.00'],
  ];
  const rows = charges.map(([item, usd]) => `10021,BKS-1,Marina LLC,01/01/2026,New,${item},Payee,${usd},TX`);
  await drop(page, { 'ledger.csv': `${head}\n${rows.join('\n')}\n` });
  const rules = page.getByRole('region', { name: 'Rules of the mapping' });
  await expect(rules.getByText('without a field: “Commission”, “Handling”')).toBeVisible();
  await pictures(page, 'charges-match');
  await rules.getByRole('button', { name: 'Change Amounts in H Item Amount, by F Item' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rows of charges' });
  const choose = (word: string, option: string) =>
    dialog.getByRole('combobox', { name: `Field of “${word}”` }).selectOption({ label: option });
  await choose('Handling', 'Agency fee');
  await choose('Commission', 'Don’t import');
  await clean(page, 'rows of charges');
  await pictures(page, 'charges');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(rules.getByText('each charge has a field')).toBeVisible();
  await desk.key('Control+Enter');
  await expect(page.getByRole('grid')).toBeVisible();
  await pictures(page, 'charges-rows');
});

test('a printed report with headings of groups and whole addresses is read', async ({ desk, page }) => {
  await desk.key('Control+4');
  const rows = [
    'Surplus lines register',
    'Policy,Insured,Term,Risk Location,Type,Premium,SL Tax',
    'State: TX',
    'RPT-1,Able Co,06/01/2026 - 06/01/2027,"400 Congress Ave\nAustin, TX 78701",New,1000,48.50',
    'RPT-2,Baker Co,06/13/2026 - 06/13/2027,"9 Elm St, Apt 2\nEl Paso, TX 79901",New,2000,97.00',
    'Subtotal TX,,,,,3000,145.50',
    'State: FL',
    'RPT-3,Cole Co,06/03/2026 - 06/03/2027,"1 Bay St\nTampa, FL 33601",New,1000,49.40',
  ];
  await drop(page, { 'register.csv': `${rows.join('\n')}\n` });
  const columns = page.getByRole('region', { name: 'Columns' });
  await expect(columns).toBeVisible();
  const rules = page.getByRole('region', { name: 'Rules of the mapping' });
  await expect(rules.getByText('City of the risk: Austin · El Paso · Tampa')).toBeVisible();
  await pictures(page, 'report-match');
  await clean(page, 'a printed report');
  await desk.key('Control+Enter');
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '5');
  await expect(grid.getByRole('gridcell', { name: '06/13/2027' })).toBeVisible();
  await expect(grid.getByRole('gridcell', { name: /^FL\b/ })).toBeVisible();
  await pictures(page, 'report-rows');
});

test('a column of premium for each line makes the lines of a transaction', async ({ desk, page }) => {
  await desk.key('Control+4');
  const rows = [
    'Policy #,Named Insured,Eff Date,Exp Date,State,Type,GL Premium,Property Premium,SL Tax',
    'PKG-1,Able Co,06/13/2026,06/13/2027,TX,New,1000.00,500.00,72.75',
    'PKG-2,Baker Co,06/14/2026,06/14/2027,TX,New,,800.00,38.80',
  ];
  await drop(page, { 'package.csv': `${rows.join('\n')}\n` });
  const rules = page.getByRole('region', { name: 'Rules of the mapping' });
  await expect(rules.getByText('Premium: 1500.00 · 800.00')).toBeVisible();
  await expect(rules.getByText('GEN-1002 | GEN-1001 · GEN-1001')).toBeVisible();
  await pictures(page, 'lines-match');
  const change = rules.getByRole('button', { name: 'Change Columns G GL Premium, H Property Premium' });
  await change.last().click();
  const dialog = page.getByRole('dialog', { name: 'Premiums of lines' });
  await expect(dialog.getByRole('combobox', { name: 'Line of business 1' })).toHaveValue(
    /Commercial general liability/,
  );
  await clean(page, 'premiums of lines');
  await pictures(page, 'lines-dialog');
  await dialog.getByRole('combobox', { name: 'Column 2' }).selectOption('G GL Premium');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByText('Choose each column once.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Column 2' }).selectOption('H Property Premium');
  const second = dialog.getByRole('combobox', { name: 'Line of business 2' });
  await second.fill('inland');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(rules.getByText('GEN-1002 | GEN-1007 · GEN-1007')).toBeVisible();
  await desk.key('Control+Enter');
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '3');
  await expect(grid.getByRole('gridcell', { name: /1,500.00/ })).toBeVisible();
  await pictures(page, 'lines-rows');
});

test('debits, credits and rows below their policy become whole transactions', async ({ desk, page }) => {
  await desk.key('Control+4');
  const rows = [
    'Certificate Reference,Name of Insured,Risk Inception Date,Risk Expiry Date,State,Class of Business,Type,Premium Debit,Premium Credit',
    'CRT-1,Able Co,06/13/2026,06/13/2027,TX,GEN-1002,New,1000.00,',
    ',,,,,GEN-1001,,500.00,',
    'CRT-2,Baker Co,06/14/2026,06/14/2027,TX,GEN-1002,Return premium,,250.25',
  ];
  await drop(page, { 'coverholder.csv': `${rows.join('\n')}\n` });
  const rules = page.getByRole('region', { name: 'Rules of the mapping' });
  await expect(rules.getByText('Premium: 1000.00 · 500.00 · -250.25')).toBeVisible();
  await expect(rules.getByText('the first less the others')).toBeVisible();
  await pictures(page, 'debits-match');
  await rules.getByRole('button', { name: 'Change Columns H Premium Debit, I Premium Credit' }).click();
  await expect(page.getByRole('button', { name: /^Amounts: First less the others/ })).toBeVisible();
  await clean(page, 'amounts of several columns');
  await pictures(page, 'debits-merge');
  await page.keyboard.press('Escape');
  await desk.key('Control+Enter');
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '4');
  await expect(page.getByText('1 row has no policy number')).toHaveCount(0);
  await pictures(page, 'debits-rows');
});
