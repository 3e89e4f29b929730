import { expect, test } from 'vitest';

test('About has the license texts of Rust parts, npm parts, and fonts', { timeout: 30_000 }, async () => {
  const text = (await import('virtual:license-notices')).default;
  for (const part of [/^tokio \d.*MIT/m, /^react \d.*MIT/m, /^@fontsource-variable\/inter \d.*OFL/m])
    expect(text).toMatch(part);
  for (const license of ['THE SOFTWARE IS PROVIDED', 'SIL OPEN FONT LICENSE']) expect(text).toContain(license);
});
