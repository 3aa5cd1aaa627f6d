import { DomUtils, parseDocument } from 'htmlparser2';
import { golden } from './e2e-tracks.ts';
import { expect, ROLES, test } from './fixtures.ts';
import { siteRoutes } from './site-routes.ts';

type Document = ReturnType<typeof parseDocument>;
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

const PAGES = [
  ...new Set(siteRoutes.map(({ path }) => path)),
  `/embed/track/${golden.id}`,
  '/embed/track/some-id',
  '/api/docs',
];

/** Attributes that only a script has which the browser runs. */
const RUN_ATTRIBUTES = ['src', 'async', 'defer', 'crossorigin', 'integrity'];
const RUN_TYPE = /^(?:module|text\/javascript)?$/;

const isWithin = (element: Element, name: string): boolean => {
  for (let parent = DomUtils.getParent(element); parent; parent = DomUtils.getParent(parent))
    if ('name' in parent && parent.name === name) return true;
  return false;
};

const has = (element: Element, name: string) =>
  DomUtils.getAttributeValue(element, name) !== undefined;

/** What the validator of the W3C would call an error, of what has once been wrong here. */
function listErrors(page: Document): string[] {
  const all = (name: string) => DomUtils.getElementsByTagName(name, page);
  const ids = DomUtils.findAll((element) => has(element, 'id'), page.children).map(
    (element) => element.attribs.id ?? '',
  );
  return [
    ...all('script')
      .filter((script) => !RUN_TYPE.test(script.attribs.type ?? ''))
      .filter((script) => RUN_ATTRIBUTES.some((name) => has(script, name)))
      .map(({ attribs }) => `A data block can’t have a source: ${JSON.stringify(attribs)}`),
    ...all('link')
      .filter((link) => !has(link, 'rel') && !has(link, 'itemprop'))
      .map(({ attribs }) => `A link needs a rel: ${JSON.stringify(attribs)}`),
    ...all('main')
      .filter((main) => isWithin(main, 'noscript'))
      .map(() => 'A noscript can’t contain main'),
    ...all('style')
      .filter((style) => isWithin(style, 'body'))
      .map(() => 'The body can’t contain a style'),
    ...(all('main').length > 1 ? ['There is more than one main'] : []),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `Two have the id ${id}`),
    ...ids.filter((id) => id === '' || /\s/.test(id)).map((id) => `Not an id: “${id}”`),
  ];
}

for (const role of ROLES)
  test(`the HTML of every page has none of the errors that a validator found, as a ${role} gets it`, async ({
    api,
  }) => {
    const viewer = await api(role);
    const errors: string[] = [];
    for (const path of PAGES) {
      const answer = await viewer.get(path, { headers: { accept: 'text/html' } });
      expect(answer.headers()['content-type'], path).toContain('html');
      for (const error of listErrors(parseDocument(await answer.text())))
        errors.push(`${path}: ${error}`);
    }
    expect(errors).toEqual([]);
  });
