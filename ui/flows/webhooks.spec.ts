import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { clean } from './axe';
import { expect, test } from './desk';

test.use({ house: 'webhooks' });

/** Deliveries take their turn at the service; nothing is clicked meanwhile. */
const NEWS = { timeout: 60_000 };

/** Somebody's receiver: what it answers is the test's choice. */
async function receiver(): Promise<{ server: Server; url: string; answer: { status: number; text: string } }> {
  const answer = { status: 500, text: 'not today' };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(answer.status).end(answer.text));
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, answer };
}

test('a webhook is added, tested, its deliveries looked at and sent again, by keyboard', async ({ desk, page }) => {
  test.setTimeout(180_000);
  const { server, url, answer } = await receiver();
  await desk.key('Control+8');
  await page.getByRole('button', { name: 'Webhooks', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeFocused();
  await expect(page).toHaveTitle('Webhooks - Bordereau');
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await clean(page, 'no webhook yet');

  // What is wrong is said at its field; what is right makes a secret that is shown once.
  const add = page.getByRole('button', { name: 'Add webhook' });
  await add.press('Enter');
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  await expect(form.getByLabel('Title')).toBeFocused();
  await desk.type('Archive');
  await form.getByLabel('Address').fill('http://archive.example/hooks');
  await form.getByLabel('States').fill('TX, nowhere');
  await desk.key('Enter');
  await expect(form.getByText(/nowhere is not a state/)).toBeVisible();
  await form.getByLabel('States').fill('TX');
  await desk.key('Enter');
  await expect(form.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true');
  await clean(page, 'a webhook with a wrong address');
  await form.getByLabel('Address').fill(url);
  await desk.key('Enter');
  const shown = page.getByRole('dialog', { name: 'Secret for Archive' });
  await expect(shown.getByRole('button', { name: 'Copy secret' })).toBeFocused();
  const secret = await shown.locator('.copyable').innerText();
  expect(secret).toHaveLength(20);
  await clean(page, 'a secret shown once');
  await desk.key('Enter');
  await expect(page.getByText(/^Secret copied/)).toBeVisible();
  await desk.key('Escape');
  await expect(shown).toBeHidden();
  await expect(add).toBeFocused();
  await expect(page.getByText(secret)).toBeHidden();

  // The receiver fails: the answer is in the log, with the time of the next try.
  const hooks = page.getByRole('region', { name: 'Account webhooks' });
  await hooks.getByRole('button', { name: 'Test Archive' }).press('Enter');
  await expect(hooks.getByText('Test failed')).toBeVisible(NEWS);
  // A test says whether an address answers, not what it says.
  await expect(hooks.getByText('not today')).toBeHidden();
  await desk.call('practice_act', { kind: 'stamp_wording', state: 'TX', text: 'Of this flow.' });
  const deliveries = page.getByRole('region', { name: 'Deliveries to Archive' });
  const row = deliveries.getByRole('row', { name: /Stamp wording changed/ });
  await expect(row).toContainText(/next attempt \w+ \d+, \d{4}/, NEWS);
  await expect(row).toContainText('Responded with 500', NEWS);
  await clean(page, 'deliveries');
  const look = row.getByRole('button', { name: /^View/ });
  await look.press('Enter');
  const log = page.getByRole('dialog', { name: /^Stamp wording changed/ });
  await expect(log.getByRole('region', { name: 'Response to attempt 2' })).toHaveText('not today', NEWS);
  await log.getByText(/^Request body/).click();
  await expect(log.getByRole('region', { name: 'Request body' })).toContainText('webhook.state.stamp-wording');
  await clean(page, 'a delivery');

  // It is well again: what failed is sent again by hand.
  [answer.status, answer.text] = [200, 'thank you'];
  await log.getByRole('button', { name: 'Send again' }).press('Enter');
  await expect(log.getByRole('status')).toContainText('delivered', NEWS);
  await expect(log.getByText('thank you')).toBeVisible(NEWS);
  await desk.key('Escape');
  await expect(look).toBeFocused();
  await expect(row).toContainText('delivered', NEWS);
  await deliveries.getByRole('button', { name: /^Show/ }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(deliveries.getByText('No deliveries with this status.')).toBeVisible(NEWS);

  await hooks.getByRole('button', { name: 'Remove Archive' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await expect(page.getByText('No webhooks yet')).toBeVisible(NEWS);
  await expect(page.locator('body:not(:focus)').locator(':focus'), 'the focus is not lost').toHaveCount(1);
  server.close();
});

test('the webhook of this computer keeps its address and its receiver its secret', async ({ desk, page }) => {
  test.setTimeout(120_000);
  await desk.key('Control+8');
  await page.getByRole('button', { name: 'Receive events' }).click();
  await expect(page.locator('.events-status')).toContainText('Receiving', NEWS);
  await page.getByRole('button', { name: 'Webhooks', exact: true }).click();
  const hooks = page.getByRole('region', { name: 'Account webhooks' });
  await expect(hooks.getByText('this computer', { exact: true })).toBeVisible();
  await hooks.getByRole('button', { name: /^New secret for/ }).click();
  await expect(page.getByText('The receiver on this computer has the new secret.')).toBeVisible();
  await expect(async () => {
    await hooks.getByRole('button', { name: /^Test / }).click();
    await expect(hooks.getByText('Test received')).toBeVisible({ timeout: 5000 });
  }).toPass(NEWS);
  await hooks.getByRole('button', { name: /^Edit / }).click();
  await expect(page.getByRole('dialog').getByLabel('Address')).toHaveAttribute('readonly', '');
  await desk.key('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});
