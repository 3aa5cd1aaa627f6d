import { expect, test } from './fixtures.ts';
import { signPage, type PageSignature } from './page-signature.ts';

const PAGE = `
  <style>
    .note { color: #444 }
    .admin ~ main .note { color: #bbb }
  </style>
  <aside class="member"><a href="/library">Library</a></aside>
  <main>
    <p class="note">Played 12 times</p>
    <label for="r1">Name</label><input id="r1">
    <div hidden><b id="hint">Optional</b></div>
  </main>`;

test('a page is told apart by all that changes how it looks or reads, and by nothing else', async ({
  page,
}) => {
  const sign = async (from = '', to = ''): Promise<PageSignature> => {
    await page.setContent(PAGE.replaceAll(from, to));
    return signPage(page);
  };
  const plain = await sign();
  expect(await sign('12 times', '97 times'), 'another count').toEqual(plain);
  expect(await sign('r1', 'r2'), 'another generated id').toEqual(plain);

  for (const [from, to] of [
    ['#444', '#bbb'],
    ['Played', 'Heard'],
    ['<p class', '<p role="img" class'],
    ['for="r1"', 'for="r2"'],
    ['Optional', 'Required'],
    ['.note {', 'p { padding: 9px } .note {'],
  ] as const) {
    const { main, shell } = await sign(from, to);
    expect.soft(main, `${to} instead of ${from}`).not.toBe(plain.main);
    expect.soft(shell, `around ${to}`).toBe(plain.shell);
  }
  const { main, shell } = await sign('Library', 'Favorites');
  expect(main).toBe(plain.main);
  expect(shell).not.toBe(plain.shell);
  const asAdmin = await sign('"member"', '"admin"');
  expect(asAdmin.main, 'a style that comes of what is around').not.toBe(plain.main);
});
