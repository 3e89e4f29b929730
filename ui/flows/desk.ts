import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';

import { expect, type Page, test as base } from '@playwright/test';

const HERE = dirname(fileURLToPath(import.meta.url));
export const HOST = process.env['BORDEREAU_UI_HOST'] ?? join(HERE, '../../target/debug/bordereau-ui-host');
const BUILT = process.env['BORDEREAU_UI_BUILT'] ?? join(HERE, '../dist');
const START_MS = 30_000;

/** The practice service reached as one of somebody else, which cannot be asked what it has. */
interface Office {
  profile: string;
  base_url: string;
  ca_pem: string;
  api_key: string;
}

export interface Host {
  url: string;
  token: string;
  data: string;
  office?: Office;
}

/** The core over HTTP with the built UI, and the practice service behind it: the real thing, in this folder. */
export async function startHost(data: string, more: string[] = []): Promise<{ host: Host; child: ChildProcess }> {
  const child = spawn(HOST, ['--ui', BUILT, '--data', data, '--listen', '127.0.0.1:0', '--pipes', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Without a session bus no keychain of this machine is ever asked.
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
  });
  const line = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${HOST} said nothing within ${START_MS} ms`)), START_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${HOST} ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).once('line', (first) => {
      clearTimeout(timer);
      resolve(first);
    });
  });
  return { host: { ...(JSON.parse(line) as Omit<Host, 'data'>), data }, child };
}

export async function stopHost(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.removeAllListeners('exit');
  child.once('exit', () => undefined);
  child.kill('SIGTERM');
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2000))]);
  child.kill('SIGKILL');
}

/** A page of the UI with nothing typed yet, and what the tests do with it. */
export class Desk {
  readonly page: Page;
  private readonly host: Host;

  constructor(page: Page, host: Host) {
    this.page = page;
    this.host = host;
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.host.url}/#token=${this.host.token}`);
    await expect(this.page.getByRole('heading', { level: 1, name: 'Quote' })).toBeVisible();
    await this.key('Control+n');
    await expect(this.state()).toHaveValue('');
  }

  key(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  state() {
    return this.page.getByRole('combobox', { name: 'State of the risk' });
  }

  /** The state by keyboard, then on to the next field. */
  async chooseState(text: string): Promise<void> {
    await this.state().focus();
    await this.type(text);
    await this.key('Tab');
  }

  async chooseType(text: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Transaction', exact: true }).focus();
    await this.type(text);
    await this.key('Tab');
  }

  async effective(text: string, label = 'Policy effective'): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** Fills the last row of the lines. */
  async line(code: string, premium: string): Promise<void> {
    await this.page
      .getByRole('combobox', { name: /^Line \d/ })
      .last()
      .focus();
    await this.type(code);
    await this.key('Tab');
    await this.page
      .getByRole('textbox', { name: /^Premium of line/ })
      .last()
      .fill(premium);
  }

  async ask(): Promise<void> {
    await this.page.getByLabel('Broker or agency fee').focus();
    await this.key('Enter');
    await expect(this.page.getByText(/^Service, \d/)).toBeVisible();
  }

  /** The amount in the row of the result with this title. */
  amount(title: string) {
    return this.page.locator('table.result tr', { hasText: title }).first().locator('td').last();
  }

  total() {
    return this.page.locator('.total strong');
  }

  /** Opens the sample at its columns; a file matched before goes to its rows at once. */
  async sample(): Promise<void> {
    await this.page.getByRole('button', { name: 'Try a sample' }).click();
    const columns = this.page.getByRole('region', { name: 'Columns' });
    await expect(columns.or(this.page.getByRole('grid'))).toBeVisible();
    if (!(await columns.isVisible())) await this.page.getByRole('button', { name: 'Match', exact: true }).click();
    await expect(columns).toBeVisible();
  }

  /** The path of a file that the core is given when it asks for one. */
  offered(name: string): string {
    const folder = join(this.host.data, 'offered');
    mkdirSync(folder, { recursive: true });
    return join(folder, name);
  }

  /** The profile of the office. */
  get office(): Office {
    const { office } = this.host;
    if (!office) throw new Error('The host was started without an office.');
    return office;
  }

  /** The next request of this kind goes wrong at the practice service. */
  fault(operation: string, kind: string): Promise<void> {
    const { base_url, ca_pem, api_key } = this.office;
    return new Promise((resolve, reject) => {
      const asked = httpsRequest(
        `${base_url}/practice/faults`,
        { method: 'POST', ca: ca_pem, headers: { 'content-type': 'application/json', apiKey: api_key } },
        (answer) => {
          answer.resume();
          if (answer.statusCode === 201) resolve();
          else reject(new Error(`The fault was answered with ${answer.statusCode}.`));
        },
      );
      asked.once('error', reject);
      asked.end(JSON.stringify({ operation, kind, times: 1 }));
    });
  }

  /** Answers an operation of the core directly, for what a test starts from. */
  async call(operation: string, request: unknown): Promise<unknown> {
    const answer = await fetch(`${this.host.url}/op/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-bordereau-token': this.host.token },
      body: JSON.stringify(request),
    });
    return answer.json();
  }
}

export const test = base.extend<{ desk: Desk }, { host: Host; house: string; office: boolean }>({
  /** Flows of another house have a core and a folder of their own: nothing that others sent or received is there. */
  house: ['shared', { scope: 'worker', option: true }],
  /** With a profile of an office whose service cannot be asked what it has. */
  office: [false, { scope: 'worker', option: true }],
  host: [
    async ({ house, office }, use) => {
      const data = mkdtempSync(join(tmpdir(), `bordereau-flow-${house}-`));
      const { host, child } = await startHost(data, office ? ['--office'] : []);
      await use(host);
      await stopHost(child);
      rmSync(data, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  desk: async ({ page, host }, use) => {
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content Security Policy|React|Warning/.test(message.text()))
        broken.push(message.text());
    });
    const desk = new Desk(page, host);
    await desk.call('settings_save', { theme: 'system', zoom: 100, agency: '', first_view: 'quote' });
    await desk.open();
    await use(desk);
    expect(broken, 'nothing broke in the page').toEqual([]);
  },
});

export { expect };
