import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Page } from '@playwright/test';

import { clean } from './axe';
import { HEAD } from './batchFile';
import { Desk, expect, startHost, stopHost, test } from './desk';
import { findPostgres, OfficeServer } from './officeServer';

const PROGRAMS = findPostgres();
test.skip(PROGRAMS === null, 'PostgreSQL is not installed');

const policy = (at: number) =>
  `MAY-${at},P00${at},2026-02-23,PN,TX,GEN-1002,1000,48.50,0.40,Insured ${at},I-${at},10899,Shop,0,0`;
const FILE = [HEAD, policy(1), policy(2), policy(3)].join('\r\n');
/** What Ann has at her own computer before there is an office. */
const OWN_FILE = [HEAD, policy(4)].join('\r\n');

/** Of a small screen; for the guide: `BORDEREAU_SHOTS=DIR`. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['BORDEREAU_SHOTS'];
  if (folder) await page.screenshot({ animations: 'disabled', path: `${folder}/office-${name}.png` });
}

/** A person's window, on a data folder of their own. */
class Seat {
  desk!: Desk;
  page!: Page;
  private child: ChildProcess | null = null;
  readonly data: string;

  constructor(
    private readonly browser: Browser,
    private readonly office: OfficeServer,
    readonly name: string,
  ) {
    this.data = join(office.folder, name);
    mkdirSync(this.data, { mode: 0o700 });
  }

  async open(): Promise<void> {
    const { host, child } = await startHost(this.data);
    this.child = child;
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
    this.page = await context.newPage();
    this.desk = new Desk(this.page, host);
    await this.desk.call('settings_save', { theme: 'light', zoom: 100, agency: '', first_view: 'quote' });
    const { profiles } = (await this.desk.call('profile_list', {})) as {
      profiles: { profile: { id: string; name: string } }[];
    };
    const profile = profiles.find((each) => each.profile.name === 'Office')?.profile;
    if (profile) {
      await this.desk.call('profile_set_key', { id: profile.id, key: this.office.key });
      await this.desk.call('profile_select', { id: profile.id });
    }
    await this.desk.open();
  }

  async close(): Promise<void> {
    if (!this.child) return;
    await this.page.context().close();
    await stopHost(this.child);
    this.child = null;
  }

  /** From the next start on its window works on the office. */
  join(role: string): void {
    this.office.admit(this.name, role);
    this.office.run(this.data, 'workspace use', ...this.office.address(this.name));
  }

  /** A cell of the draft on screen. */
  cell(row: number, column: number) {
    return this.page.getByRole('grid').locator(`.body [data-row="${row}"] [data-column="${column}"]`);
  }

  /** The place of a column by its heading. */
  async column(title: string): Promise<number> {
    const titles = await this.page.getByRole('columnheader').allTextContents();
    return titles.findIndex((text) => text.trim() === title) - 1;
  }

  /** Types into a cell and leaves the keyboard in it. */
  async typeInto(row: number, column: number, text: string): Promise<void> {
    await this.cell(row, column).click();
    await this.desk.type(text);
  }
}

test('a batch goes through an office of three people and a server', async ({ browser }) => {
  test.setTimeout(300_000);
  const office = await OfficeServer.start(PROGRAMS ?? '');
  const [ann, bob, rita] = ['ann', 'bob', 'rita'].map((name) => new Seat(browser, office, name)) as [Seat, Seat, Seat];
  try {
    await joinsByTheWindow(office, ann);
    office.addProfile(ann.data);
    bob.join('clerk');
    rita.join('reader');
    await Promise.all([ann, bob, rita].map((seat) => seat.open()));
    await office.speed(0);

    // What Ann had at her own computer is everyone's.
    await copiesOwnWork(ann);
    for (const seat of [ann, bob, rita]) {
      await seat.desk.key('Control+4');
      await expect(seat.page.getByRole('region', { name: 'Drafts' })).toContainText('april.csv');
    }

    // Bob begins; the draft is on the other screens without a touch.
    await beginsDraft(bob, 'may.csv', FILE);
    const insured = await bob.column('Insured');

    // Ann says that Bob does it, with a note; everyone sees it.
    await ann.page.getByRole('button', { name: 'may.csv: assigned to Nobody' }).click();
    await ann.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Assigned to: / })
      .click();
    await ann.page.getByRole('option', { name: /^bob$/ }).click();
    await ann.page.getByLabel('Note').fill('The last rows are missing');
    await clean(ann.page, 'assigning a draft');
    await pictureEachWay(ann, 'assign');
    await ann.page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(rita.page.getByRole('region', { name: 'Drafts' })).toContainText('The last rows are missing');
    await pictureEachWay(ann, 'assigned');
    for (const seat of [ann, rita]) {
      await seat.page.getByRole('button', { name: 'may.csv', exact: true }).click();
      await expect(seat.cell(0, insured)).toContainText('Insured 1');
    }

    // Bob is still typing while Ann changes another cell: both are there, and his place is not lost.
    await bob.typeInto(1, insured, 'Old Mill');
    await ann.typeInto(0, insured, 'Cedar Bakery');
    await ann.desk.key('Enter');
    await expect(bob.cell(0, insured)).toContainText('Cedar Bakery');
    await expect(bob.page.locator(':focus')).toHaveValue('Old Mill');
    await picture(bob.page, 'draft');
    await bob.desk.type(' Diner');
    await bob.desk.key('Enter');
    for (const seat of [ann, rita]) await expect(seat.cell(1, insured)).toContainText('Old Mill Diner');

    // Of what both type into one cell, the second one is asked.
    await bob.typeInto(2, insured, 'Harbor');
    await ann.typeInto(2, insured, 'Summit');
    await ann.desk.key('Enter');
    await expect(bob.cell(2, insured)).toContainText('Summit');
    await bob.desk.key('Enter');
    await expect(bob.page.getByText('Row 4, Insured: you typed “Harbor”, and it is “Summit” now.')).toBeVisible();
    await clean(bob.page, 'a cell that two changed');
    await picture(bob.page, 'conflict');
    await bob.page.getByRole('button', { name: 'Keep theirs' }).click();
    await expect(rita.cell(2, insured)).toContainText('Summit');

    // A reader is refused, and sees what is there.
    await rita.typeInto(2, insured, 'Nobody');
    await rita.desk.key('Enter');
    await expect(rita.page.getByText(/Your role in the office doesn.t allow this/)).toBeVisible();
    await expect(rita.cell(2, insured)).toContainText('Summit');
    await picture(rita.page, 'reader');

    await typeIntoOneForm(bob, ann);

    // Ann sends what Bob began.
    await ann.desk.key('Control+Enter');
    await ann.page.getByRole('button', { name: 'Send 3 transactions' }).click();
    await expect(ann.page.getByRole('list', { name: 'Steps' })).toContainText('Results');
    for (const seat of [bob, rita]) {
      await seat.page.getByRole('button', { name: 'All batches' }).click();
      await expect(seat.page.getByRole('region', { name: 'Sent' })).toContainText('may.csv');
    }
    // The batch is his, as the draft was; that has left the list.
    await expect(bob.page.getByRole('button', { name: 'may.csv: assigned to Me' })).toHaveCount(1);
    await choose(bob.page, 'Assigned to', /^Nobody$/);
    await expect(bob.page.getByRole('button', { name: 'april.csv', exact: true })).toBeVisible();
    await expect(bob.page.getByRole('button', { name: 'may.csv', exact: true })).toHaveCount(0);
    await choose(bob.page, 'Assigned to', /^Me$/);
    await expect(bob.page.getByRole('region', { name: 'Sent' })).toContainText('The last rows are missing');
    await pictureEachWay(bob, 'mine');
    await ann.close();
    await bob.close();

    // Both have gone home: the server follows it to the state's answer, and Rita's screen shows that.
    await office.speed(1000);
    const worker = join(office.folder, 'worker');
    office.admit('wally', 'clerk');
    office.run(worker, 'workspace use', ...office.address('wally'));
    office.run(worker, '--profile Office work --until-done');
    await expect(rita.page.getByRole('region', { name: 'Sent' })).toContainText('processed');
    await picture(rita.page, 'done');
    await clean(rita.page, 'batches of an office');
    expect(await office.stored()).toEqual({ 'MAY-1': 1, 'MAY-2': 1, 'MAY-3': 1 });
  } finally {
    await Promise.all([ann, bob, rita].map((seat) => seat.close()));
    office.stop();
  }
});

/** Two people type into one field of a transaction's form: the second one is asked, and nothing of either is lost. */
async function typeIntoOneForm(first: Seat, second: Seat): Promise<void> {
  const field = ({ page }: Seat, name: string) => page.getByRole('textbox', { name, exact: true });
  for (const seat of [first, second]) await seat.page.getByRole('button', { name: 'All batches' }).click();
  await first.desk.key('Control+n');
  await field(first, 'Policy number').fill('TX-77');
  await field(first, 'Insured').fill('Old Mill');
  await first.desk.key('Tab');
  await second.page.getByRole('button', { name: 'Transaction TX-77', exact: true }).click();
  await expect(field(second, 'Insured')).toHaveValue('Old Mill');
  await field(first, 'Insured').fill('Harbor Diner');
  await field(second, 'Insured').fill('Summit Diner');
  // Whoever's text was stored later is asked, though neither had seen the other one's.
  const mine = [first, second].map(({ page }) => page.getByRole('button', { name: 'Put mine in' }));
  const asked = () => Promise.all(mine.map((button) => button.count()));
  await expect.poll(async () => (await asked()).join(' ')).toMatch(/^(?:0 1|1 0)$/);
  const [isFirst] = await asked();
  const text = isFirst ? 'Harbor Diner' : 'Summit Diner';
  const loser = isFirst ? first : second;
  await expect(loser.page.getByText(new RegExp(`you typed “${text}”, and it is “.* Diner” now`))).toBeVisible();
  await picture(loser.page, 'form');
  await loser.page.getByRole('button', { name: 'Put mine in' }).click();
  for (const seat of [first, second]) await expect(field(seat, 'Insured')).toHaveValue(text);
  await expect(field(second, 'Policy number')).toHaveValue('TX-77');
  for (const seat of [first, second]) {
    await seat.page.getByRole('button', { name: 'All batches' }).click();
    await seat.page.getByRole('button', { name: 'may.csv', exact: true }).click();
  }
}

async function beginsDraft({ desk, page }: Seat, name: string, text: string): Promise<void> {
  const file = desk.offered(name);
  await writeFile(file, text);
  await page.getByRole('button', { name: 'Open file' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await rm(file);
  const go = page.getByRole('button', { name: /^Review \d+ rows?/ });
  await expect(go.or(page.getByRole('grid')).first()).toBeVisible();
  if (await go.isVisible()) await go.click();
}

async function choose(page: Page, field: string, choice: RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${field}: `) }).click();
  await page.getByRole('option', { name: choice }).click();
}

/** In light, dark, and large letters. */
async function pictureEachWay({ page }: Seat, what: string): Promise<void> {
  for (const [name, zoom] of [
    ['dark', 100],
    ['large', 150],
    ['light', 100],
  ] as const) {
    await page.emulateMedia({ colorScheme: name === 'dark' ? 'dark' : 'light' });
    await page.evaluate((at) => {
      delete document.documentElement.dataset['theme'];
      document.documentElement.style.setProperty('--zoom', String(at / 100));
    }, zoom);
    await picture(page, `${what}-${name}`);
  }
}

async function copiesOwnWork({ page }: Seat): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Office database/ }).click();
  await page.getByRole('button', { name: 'Copy into the workspace…' }).click();
  const dialog = page.getByRole('dialog');
  await clean(page, 'copying own work into an office');
  await dialog.getByRole('button', { name: 'Copy into the workspace' }).click();
  await expect(dialog.getByText(/^Copied \d+ rows\. Both sides are equal\.$/)).toBeVisible();
  await picture(page, 'copied');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
}

/** As a person does it under Settings, with pictures. */
async function joinsByTheWindow(office: OfficeServer, seat: Seat): Promise<void> {
  office.admit(seat.name, 'administrator');
  await seat.open();
  const { page } = seat;
  await seat.desk.key('Control+4');
  await beginsDraft(seat, 'april.csv', OWN_FILE);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Office database/ }).click();
  await picture(page, 'settings-empty');
  await page.getByLabel('Host').fill(office.folder);
  await page.getByLabel('Database', { exact: true }).fill('postgres');
  await page.getByLabel('Database user').fill(seat.name);
  await choose(page, 'Sign-in', /^No password/);
  await choose(page, 'Connection', /^Not encrypted/);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Connected as ann (administrator)')).toBeVisible();
  await clean(page, 'office database');
  await pictureEachWay(seat, 'settings');
  await page.getByRole('button', { name: 'Use the office database' }).click();
  await expect(page.getByText('Close Bordereau and open it again: the change takes effect then.')).toBeVisible();
  await picture(page, 'settings-used');
  await seat.close();
}
