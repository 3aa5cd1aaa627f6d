import { expect, test } from './fixtures.ts';
import { signPage, type PageSignature } from './page-signature.ts';

const PAGE = `
  <style>
    .note { color: #444 }
    .admin ~ main .note { color: #bbb }
  </style>
  <aside class="member"><span>Free plan</span><nav><a href="/library">Library</a></nav></aside>
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
    const { main, links, shell } = await sign(from, to);
    expect.soft(main, `${to} instead of ${from}`).not.toBe(plain.main);
    expect
      .soft({ links, shell }, `around ${to}`)
      .toEqual({ links: plain.links, shell: plain.shell });
  }
  for (const to of ['Favorites', 'Library and more']) {
    const { main, links, shell } = await sign('Library', to);
    expect.soft(links, `${to} instead of Library`).not.toEqual(plain.links);
    expect.soft({ main, shell }, `around ${to}`).toEqual({ main: plain.main, shell: plain.shell });
  }
  const asPremium = await sign('Free plan', 'Premium plan');
  expect(asPremium.shell).not.toBe(plain.shell);
  expect(asPremium.main).toBe(plain.main);
  const asAdmin = await sign('"member"', '"admin"');
  expect(asAdmin.main, 'a style that comes of what is around').not.toBe(plain.main);
});

test('the light theme changes nothing by what stands beside or within it', async ({ page }) => {
  await page.goto('/');
  const selectors = await page.evaluate(() => {
    const read = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSStyleRule ? [rule.selectorText] : []),
        ...('cssRules' in rule ? read(rule.cssRules as CSSRuleList) : []),
      ]);
    return [...document.styleSheets].flatMap((sheet) => read(sheet.cssRules));
  });
  const ofLight = selectors.filter((selector) => selector.includes('data-theme'));
  expect(ofLight.length).toBeGreaterThan(0);
  expect(ofLight.filter((selector) => /[~+]|:has\(/.test(selector))).toEqual([]);
});
