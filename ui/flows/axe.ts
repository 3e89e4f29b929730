import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails when axe finds anything on the page as it is. */
export async function clean(page: Page, view: string, without: string[] = []): Promise<void> {
  // While a color still fades, axe measures the contrast of neither color.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((each) => each.finished)));
  const found = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .disableRules(without)
    .analyze();
  const told = found.violations.map(
    (each) =>
      `${each.id}: ${each.nodes.map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`).join('; ')}`,
  );
  expect(told, view).toEqual([]);
}

/** React Aria hides the page from screen readers while a list or a calendar is open. */
export const BEHIND_POPUP = ['aria-hidden-focus', 'page-has-heading-one', 'region'];
