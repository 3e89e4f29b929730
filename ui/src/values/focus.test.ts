import { afterEach, expect, test } from 'vitest';

import { isFocusLost, findNearby, recordPath } from './focus';

afterEach(() => {
  document.body.innerHTML = '';
});

/** Removes the row of an element and gives what takes its place. */
function after(html: string, gone: string): string | undefined {
  document.body.innerHTML = `<main><div class="view"><h1>View</h1><button id="head">Head</button>${html}</div></main>`;
  const element = document.querySelector<HTMLElement>(`#${gone}`);
  if (!element) throw new Error(gone);
  element.focus();
  const place = recordPath(element);
  element.closest('li, .box')?.remove();
  expect(isFocusLost()).toBe(true);
  return findNearby(place)?.id;
}

const list = (...ids: string[]) =>
  `<ul>${ids.map((id) => `<li><span>${id}</span><button id="${id}">x</button></li>`).join('')}</ul>`;

test.each([
  ['the next row', list('a', 'b', 'c'), 'b', 'c'],
  ['the row before the last', list('a', 'b', 'c'), 'c', 'b'],
  ['what follows the list', `<section>${list('a')}<button id="more">More</button></section>`, 'a', 'more'],
  [
    'not what is disabled or out of the order',
    '<section><p class="box"><button id="a">a</button></p><button disabled>no</button><button tabindex="-1">no</button><button id="yes">yes</button></section>',
    'a',
    'yes',
  ],
  ['nothing, where all that is left is the view', list('a'), 'a', undefined],
])('%s', (_, html, gone, expected) => {
  expect(after(html, gone)).toBe(expected);
});
