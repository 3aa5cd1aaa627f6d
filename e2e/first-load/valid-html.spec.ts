import { HtmlValidate, type MetaAttribute } from 'html-validate';
import { golden } from '../support/e2e-tracks.ts';
import { expect, ROLES, test, type Role } from '../support/fixtures.ts';
import { isNightly } from '../support/nightly.ts';
import { differsFor, expectedOutcome, siteRoutes } from '../support/site-routes.ts';

/** These look the same to everyone. */
const OTHER_PAGES = [`/embed/track/${golden.id}`, `/embed/player/${golden.id}`, '/api/docs'];

/** What only a script has that the browser runs: with another type it is a block of data. */
const ofRunScripts: MetaAttribute = {
  allowed: (script) =>
    /^(?:module|text\/javascript)?$/.test(String(script.getAttribute('type') ?? ''))
      ? null
      : 'the script is a block of data',
};

/** The rules of the HTML standard, without opinions on style. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'missing-doctype': 'error', 'attribute-misuse': 'error' },
  // Of the standard, but not known to the validator.
  elements: [
    'html5',
    {
      link: { attributes: { rel: { required: true } } },
      noscript: { permittedDescendants: [{ exclude: ['main'] }] },
      style: { permittedParent: ['head', 'noscript'] },
      script: {
        attributes: {
          src: ofRunScripts,
          async: ofRunScripts,
          defer: ofRunScripts,
          crossorigin: ofRunScripts,
          integrity: ofRunScripts,
        },
      },
    },
  ],
});

async function findErrors(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${message} (${ruleId}, ${selector ?? 'no element'})`);
}

const listPages = (role: Role): string[] => [
  ...siteRoutes
    .filter((route) => isNightly() || expectedOutcome(role, route) === 'page')
    .filter((route) => isNightly() || differsFor(role, route))
    .map(({ path }) => path),
  ...(isNightly() || role === 'visitor' ? OTHER_PAGES : []),
];

for (const role of ROLES)
  test(`the HTML of every page is valid, as ${role} gets it`, async ({ api }) => {
    const viewer = await api(role);
    const errors: string[] = [];
    for (const path of listPages(role)) {
      const answer = await viewer.get(path, { headers: { accept: 'text/html' } });
      expect(answer.headers()['content-type'], path).toContain('html');
      for (const error of await findErrors(await answer.text())) errors.push(`${path}: ${error}`);
    }
    expect(errors).toEqual([]);
  });

test('the validator knows the errors that were once on the pages', async () => {
  const errors = await findErrors(`<html lang="en">
    <head><title>A page</title><link href="/a.css"><script type="later" src="/a.js"></script></head>
    <body><noscript><main>Text</main></noscript><div><style>p { color: red }</style></div>
    <p id="one"></p><p id="one"></p></body></html>`);
  expect(new Set(errors.map((error) => /\(([\w-]+),/.exec(error)?.[1]))).toEqual(
    new Set([
      'missing-doctype',
      'element-required-attributes',
      'attribute-misuse',
      'element-permitted-content',
      'element-permitted-parent',
      'no-dup-id',
    ]),
  );
});
