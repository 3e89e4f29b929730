/** What an office has beside its desks: a PostgreSQL and a service, in a folder of their own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { HOST } from './desk';

const VERSIONS = '/usr/lib/postgresql';
const COMMAND = join(dirname(HOST), 'bordereau');

interface Service {
  base_url: string;
  ca_file: string;
  api_key: string;
}

/** Where the programs of PostgreSQL are; null where it is not installed. */
export function findPostgres(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted().toReversed() : [];
  const installed = versions.map((version) => join(VERSIONS, version, 'bin'));
  const named = process.env['BORDEREAU_POSTGRES'];
  return [...(named ? [named] : []), ...installed].find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** The workspace of an office and the service that it sends to. */
export class OfficeServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'bordereau-office-'));
  private readonly programs: string;
  private readonly child: ChildProcess;
  private readonly service: Service;

  private constructor(programs: string, child: ChildProcess, service: Service) {
    this.programs = programs;
    this.child = child;
    this.service = service;
    if (process.getuid?.() === 0) execFileSync('chown', ['nobody', this.folder]);
    this.asServer('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '-D', this.data);
    const options = `-k ${this.folder} -h '' -F`;
    const log = join(this.folder, 'log');
    this.asServer('pg_ctl', '-w', 'start', '-o', options, '-l', log, '-D', this.data);
    this.run(join(this.folder, 'owner'), 'workspace create', ...this.address('postgres'));
  }

  static async start(programs: string): Promise<OfficeServer> {
    const folder = mkdtempSync(join(tmpdir(), 'bordereau-service-'));
    const secrets = join(folder, 'secrets.json');
    const options = ['serve', '--json', '--data', join(folder, 'data'), '--credentials-file', secrets];
    const child = spawn(COMMAND, options, { stdio: ['ignore', 'pipe', 'inherit'], env: environment(folder) });
    const line = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`bordereau serve ended with ${code}`)));
      createInterface({ input: child.stdout }).once('line', resolve);
    });
    const service = { ...JSON.parse(line), ...JSON.parse(readFileSync(secrets, 'utf8')) } as Service;
    return new OfficeServer(programs, child, service);
  }

  stop(): void {
    this.child.removeAllListeners('exit');
    this.child.kill('SIGKILL');
    this.asServer('pg_ctl', '-m', 'immediate', '-w', 'stop', '-D', this.data);
    rmSync(this.folder, { recursive: true, force: true });
  }

  get key(): string {
    return this.service.api_key;
  }

  /** Gives a person a role. */
  admit(person: string, role: string): void {
    const sql = `CREATE ROLE ${person} LOGIN IN ROLE bordereau_${role}`;
    execFileSync(join(this.programs, 'psql'), ['-h', this.folder, '-U', 'postgres', '-qc', sql, 'postgres']);
  }

  /** How a command reaches the workspace as this person. */
  address(person: string): string[] {
    return ['--host', this.folder, '--database', 'postgres', '--user', person, '--no-tls'];
  }

  /** Runs `bordereau` in a data folder. */
  run(data: string, command: string, ...more: string[]): string {
    const all = ['--data-dir', data, ...command.split(' '), ...more];
    return execFileSync(COMMAND, all, { encoding: 'utf8', env: environment(this.folder, this.service.api_key) });
  }

  /** Adds the profile of the service, as a person who may. */
  addProfile(data: string): void {
    const { base_url: address, ca_file: authority } = this.service;
    this.run(data, 'profile add Office --environment sandbox', '--address', address, '--ca-file', authority);
  }

  /** How many of each own id the service has. */
  async stored(): Promise<Record<string, number>> {
    const answer = (await this.practice('GET', 'transactions')) as { transactions: { id: string; count: number }[] };
    return Object.fromEntries(answer.transactions.map(({ id, count }) => [id, count]));
  }

  /** How fast the service processes batches; 0 is not at all. */
  async speed(rows: number): Promise<void> {
    await this.practice('POST', 'speed', { rows_per_second: rows });
  }

  private practice(method: string, path: string, body?: unknown): Promise<unknown> {
    const { base_url: address, ca_file: authority, api_key: apiKey } = this.service;
    const headers = { apiKey, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const asked = httpsRequest(
        `${address}/practice/${path}`,
        { method, ca: readFileSync(authority), headers },
        (answer) => {
          let text = '';
          answer.on('data', (part) => (text += part));
          answer.once('end', () =>
            (answer.statusCode ?? 500) < 300 ? resolve(text === '' ? null : JSON.parse(text)) : reject(new Error(text)),
          );
        },
      );
      asked.once('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  /** The server refuses to run as root. */
  private asServer(program: string, ...options: string[]): void {
    const path = join(this.programs, program);
    const asNobody = ['--reuid=nobody', '--regid=nogroup', '--clear-groups', path, ...options];
    // Its log is a file of its own: a server that has the pipe keeps whoever waits for its end.
    if (process.getuid?.() === 0) execFileSync('setpriv', asNobody, { stdio: 'ignore' });
    else execFileSync(path, options, { stdio: 'ignore' });
  }
}

/** No keychain of this machine is ever asked. */
function environment(home: string, key?: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: home,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    ...(key === undefined ? {} : { BORDEREAU_API_KEY: key }),
  };
}
