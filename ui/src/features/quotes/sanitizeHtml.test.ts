import { expect, test } from 'vitest';

import { buildStampHtml } from './StampWordings';
import { formatTableForCopy } from '../../components/clipboard';
import { sanitizeHtml } from '../../components/sanitizeHtml';

test.each([
  ['<b>Notice</b>', '<b>Notice</b>'],
  ['<script>alert(1)</script>x', 'x'],
  ['<img src=x onerror=alert(1)>x', 'x'],
  ['<a href="javascript:alert(1)" onclick="x()">x</a>', '<a>x</a>'],
  ['<p style="position:fixed" class="app">x</p>', '<p>x</p>'],
  ['<iframe src="https://example.com"></iframe>x', 'x'],
  ['<svg><style>*{}</style></svg>x', 'x'],
])('%s is shown as %s', (html, clean) => {
  expect(sanitizeHtml(html)).toBe(clean);
});

test('a stamp is copied with its format, and a color cannot smuggle anything', () => {
  const stamp = {
    html: 'Notice<script></script>',
    text: 'Notice',
    instructions: null,
    font_size: 12,
    bold: true,
    italic: false,
    color: 'red;background:url(x)',
    format: '',
  };
  expect(buildStampHtml(stamp)).toBe(
    '<div style="font-size:12pt;font-weight:bold;font-style:normal;color:black">Notice</div>',
  );
});

test('a copied table keeps cells apart', () => {
  expect(
    formatTableForCopy([
      ['a\tb', 'c'],
      ['<1>', '2'],
    ]),
  ).toEqual({
    text: 'a b\tc\r\n<1>\t2',
    html: '<table><tr><th>a\tb</th><th>c</th></tr><tr><td>&lt;1&gt;</td><td>2</td></tr></table>',
  });
});
