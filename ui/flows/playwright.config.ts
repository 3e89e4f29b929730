import { existsSync } from 'node:fs';

import { defineConfig } from '@playwright/test';

/** The one without a window takes less of the processor. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: Number(process.env['FLOW_WORKERS'] ?? 2),
  forbidOnly: true,
  // A machine that is busy with a build may miss any patience: a second try is reported as flaky, not as passed.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1360, height: 860 },
    locale: 'en-US',
    colorScheme: 'light',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? PROGRAMS.find((program) => existsSync(program)) ?? 'chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
