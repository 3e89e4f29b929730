import type { Page } from '@playwright/test';

import { type Desk, expect, test } from './desk';

test.use({ house: 'reader' });

/** Everything that is read out from now on, in order: what goes through the live regions of the page. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const hear = (region: Element, added: Node) => {
      // What is one news is one thing said, also where a part of it is an alert inside the region.
      const words = (added instanceof Element ? added : region).textContent?.trim() ?? '';
      if (words !== '') heard.push(words);
    };
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes) {
        const at = target instanceof Element ? target : target.parentElement;
        const region = at?.closest('[aria-live], [role=status], [role=alert]');
        if (type === 'characterData' && region) hear(region, target);
        for (const added of addedNodes) {
          if (region) hear(region, added);
          else if (added instanceof Element)
            for (const alert of [added, ...added.querySelectorAll('*')])
              if (alert.matches('[role=alert]')) hear(alert, alert);
        }
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
}

/** What has the focus, as a screen reader is given it. */
const focused = (page: Page) => page.locator(':focus');

async function texas(desk: Desk): Promise<void> {
  await desk.chooseState('TX');
  await desk.effective('2/23/2026');
}

test('the form of a quote: names, what is needed, what is wrong, each once', async ({ desk, page }) => {
  const form = page.getByRole('form', { name: 'Policy' });
  await expect(form).toMatchAriaSnapshot(`
    - form "Policy":
      - heading "Policy" [level=2]
      - text: State of the risk
      - combobox "State of the risk"
      - button /Show choices/
      - text: Transaction
      - combobox "Transaction"
      - button /Show choices/
      - text: Policy effective
      - textbox "Policy effective"
      - button "Calendar for Policy effective"
      - heading "Lines of business" [level=2]
      - table "Lines of business, premiums in US dollars"
      - button "Add line"
      - heading "Fees in addition to premium" [level=2]
      - textbox "Broker or agency fee"
      - textbox "Carrier or inspection fee"
      - button /More/
      - button "Calculate taxes"
      - button "New"
  `);
  for (const name of ['State of the risk', 'Transaction', 'Line 1'])
    await expect(page.getByRole('combobox', { name, exact: true })).toHaveAttribute('aria-required', 'true');
  for (const name of ['Policy effective', 'Premium of line 1'])
    await expect(page.getByRole('textbox', { name })).toHaveAttribute('aria-required', 'true');

  const heard = await listen(page);
  await page.getByLabel('Broker or agency fee').focus();
  await desk.key('Enter');
  await expect(focused(page)).toHaveAccessibleName('State of the risk');
  await expect(focused(page)).toHaveAccessibleDescription(/state/i);
  await expect(focused(page)).toHaveAttribute('aria-invalid', 'true');
  await expect.poll(heard).toEqual([expect.stringMatching(/^Check \d fields: /)]);

  const premium = page.getByRole('textbox', { name: 'Premium of line 1' });
  await premium.fill('about 900');
  await desk.key('Tab');
  await expect(premium).toHaveAccessibleDescription(/“about 900” is not an amount/);
  await expect(premium).toHaveValue('about 900');
});

test('typing is not talked over; the answer is said once, with its total', async ({ desk, page }) => {
  await texas(desk);
  await desk.line('1002', '');
  const heard = await listen(page);
  await page.getByRole('textbox', { name: 'Premium of line 1' }).pressSequentially('9521');
  await expect(desk.total()).toHaveText('$9,986.58');
  expect(await heard()).toEqual([]);
  await desk.key('Enter');
  await expect(page.getByText(/^Service, \d/)).toBeVisible();
  await expect(page.locator('.spoken')).toContainText('Total due for Texas $9,986.58, taxes and state fees $465.58.');
  expect(await heard()).toHaveLength(1);
  await expect(page.getByRole('region', { name: 'Result' })).toMatchAriaSnapshot(`
    - table "Charges in US dollars":
      - rowgroup:
        - row:
          - columnheader "Charge"
          - columnheader "Based on"
          - columnheader "Rate"
          - columnheader "Amount"
      - rowgroup:
        - row:
          - rowheader "Premium"
        - row:
          - rowheader /Surplus Lines Tax/:
            - button /Surplus Lines Tax.*show calculation/
          - cell /premium/
          - cell "4.85%"
          - cell "461.77"
  `);
});

test('the palette names its best fit whenever another one takes its place', async ({ desk, page }) => {
  await desk.key('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  const best = () =>
    field.evaluate((input) => {
      const id = input.getAttribute('aria-activedescendant') ?? '';
      return { id, words: document.getElementById(id)?.textContent ?? '' };
    });
  const before = await best();
  await desk.type('quote for tex');
  await expect.poll(async () => (await best()).words).toContain('Quote for Texas');
  expect((await best()).id).not.toBe(before.id);
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Quote for Texas/);
  await desk.type('zzz');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('No matches');
});

test('news are said once', async ({ desk, page }) => {
  await texas(desk);
  await desk.line('1002', '100');
  const heard = await listen(page);
  await desk.key('Control+Shift+C');
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(/./);
  expect(await heard()).toHaveLength(1);
});

test('rows of declinations say which one they are', async ({ desk, page }) => {
  await texas(desk);
  await desk.key('Control+Shift+F');
  await page.getByRole('button', { name: 'Start from this quote' }).click();
  const row = page.getByRole('group', { name: 'Declination 2' });
  await expect(row.getByRole('textbox', { name: 'NAIC' })).toBeVisible();
  const insured = page
    .getByRole('region', { name: 'Insured', exact: true })
    .getByRole('textbox', { name: 'Named insured' });
  // The star is for the eye.
  await expect(insured).toHaveAccessibleName('Named insured');
  await expect(insured).toHaveAttribute('aria-required', 'true');
  const heard = await listen(page);
  await insured.pressSequentially('Example Diner LLC');
  await expect(page.getByRole('region', { name: 'Check' })).not.toContainText('Named insured');
  expect(await heard()).toEqual([]);
});

test('a list of choices says its label and what is chosen; F6 leads to the total', async ({ desk, page }) => {
  await expect(page.getByRole('button', { name: 'Insured: Commercial', exact: true })).toBeVisible();
  await texas(desk);
  await desk.line('1002', '9521');
  await desk.ask();
  await desk.key('F6');
  await expect(focused(page)).toHaveAccessibleName(/Total due.*9,986\.58/);
});

test('what is typed into the palette stays there while the rest of the window is loaded', async ({ desk, page }) => {
  let load = () => {};
  const loaded = new Promise<void>((resolve) => (load = resolve));
  await page.route(/BackgroundTasks/, async (route) => {
    await loaded;
    await route.continue();
  });
  await page.goto('about:blank');
  const asked = page.waitForRequest(/BackgroundTasks/);
  await desk.open();
  await desk.key('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  await expect(field).toBeFocused();
  await desk.type('quote ');
  await asked;
  await desk.type('for tex');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('quote for tex');
  load();
});
