import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { LookImageRefused } from './look-image-refused.ts';
import { rebuildSvg } from './rebuild-svg.ts';

const NUMBERS = /^[-\d.e+ ]*$/;
const COMMANDS = /^[mlhvcsqtaz\d.e+ -]*$/i;
const LENGTH = /^-?[\d.]+(?:e[+-]?\d+)?$/;
const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];

/** Every attribute that a rebuilt drawing can have. */
const ALLOWED: Record<string, RegExp> = {
  xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
  id: /^c\d+$/,
  viewBox: NUMBERS,
  d: COMMANDS,
  points: NUMBERS,
  transform: /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([-\d.e+ ]+\) ?)*$/,
  fill: /^(?:none|currentColor)$/,
  stroke: /^(?:none|currentColor)$/,
  'fill-rule': /^(?:evenodd|nonzero)$/,
  'clip-rule': /^(?:evenodd|nonzero)$/,
  'clip-path': /^url\(#c\d+\)$/,
  'stroke-linecap': /^(?:round|square|butt)$/,
  'stroke-linejoin': /^(?:round|bevel|miter)$/,
  'stroke-dasharray': NUMBERS,
};
const LENGTHS =
  /^(?:x|y|width|height|rx|ry|cx|cy|r|x1|y1|x2|y2|opacity|fill-opacity|stroke-opacity|stroke-width|stroke-miterlimit)$/;

type Node = { type: string; name?: string; attribs?: Record<string, string>; children?: Node[] };

/** Throws for anything that isn't on the list above, read by another program than ours. */
function expectHarmless(svg: string): void {
  expect(svg).not.toMatch(/[&]|<[!?]|script|href|style|on\w+=/i);
  const [root, ...others] = parseDocument(svg, { xmlMode: true }).children as unknown as Node[];
  expect(others).toEqual([]);
  const visit = ({ type, name = '', attribs = {}, children = [] }: Node) => {
    expect(type).toBe('tag');
    expect([...SHAPES, 'svg', 'g', 'clipPath']).toContain(name);
    for (const [attribute, value] of Object.entries(attribs))
      expect(value, `${name} ${attribute}`).toMatch(
        LENGTHS.test(attribute) ? LENGTH : (ALLOWED[attribute] ?? /^(not allowed)$/),
      );
    children.forEach(visit);
  };
  visit(root!);
}

const build = (content: string, attributes = 'viewBox="0 0 100 50"') =>
  rebuildSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
const draw = (content: string, attributes?: string) =>
  build(content, attributes).draw({ inkOf: 'page' });
const contentOf = (content: string) => /<g[^>]*>(.*)<\/g><\/svg>$/.exec(draw(content))?.[1];

describe('a rebuilt drawing', () => {
  it.each([
    [
      '<rect x="1px" y="2" width="50%" height="1e1"/>',
      '<rect x="1" y="2" width="50" height="10"/>',
    ],
    ['<path d="M0,0 10-5.5.5z l1 1"/>', '<path d="M0 0M10 -5.5"/>'],
    ['<path d="M1 1a2 2 0 01.5.5"/>', '<path d="M1 1a2 2 0 0 1 0.5 0.5"/>'],
    [
      '<polygon points="0,0 5,5 9,1" fill="#f00"/>',
      '<polygon points="0 0 5 5 9 1" fill="currentColor"/>',
    ],
    [
      '<circle r="4" fill="none" stroke="url(#a)"/>',
      '<circle r="4" fill="none" stroke="currentColor"/>',
    ],
    [
      '<g style="fill:none;stroke:red;stroke-width:2px"><line x2="5"/></g>',
      '<g fill="none" stroke="currentColor" stroke-width="2"><line x2="5"/></g>',
    ],
    [
      '<circle r="1" style=" FILL : none ! important ; stroke:red !x;stroke-width 3;opacity:0.5"/>',
      '<circle r="1" fill="none" opacity="0.5"/>',
    ],
    ['<a href="https://evil.example"><circle r="1"/></a>', '<g><circle r="1"/></g>'],
    ['<rect display="none" width="9"/><circle r="1"/>', '<circle r="1"/>'],
    [
      '<g transform="translate(1,2) evil(3) rotate(45)"><circle r="1"/></g>',
      '<g transform="translate(1 2) rotate(45)"><circle r="1"/></g>',
    ],
  ])('has of %s only shapes and numbers', (content, expected) => {
    expect(contentOf(content)).toBe(expected);
  });

  it('follows the classes that drawing programs write', () => {
    const svg =
      '<style>/* x */ .a,.b{fill:none;stroke:#123} .b{stroke-width:3}</style><path class="b" d="M0 0h9"/>';
    expect(contentOf(svg)).toBe(
      '<path d="M0 0h9" fill="none" stroke="currentColor" stroke-width="3"/>',
    );
  });

  it('keeps clips, under names of its own', () => {
    const svg = draw(
      '<defs><clipPath id="x&quot;><script>"><rect width="5" height="5"/></clipPath></defs><g clip-path="url(#a)"><circle r="9"/></g><clipPath id="a"><rect width="4" height="4"/></clipPath>',
    );
    expect(svg).toContain('<clipPath id="c0"><rect width="4" height="4"/></clipPath>');
    expect(svg).toContain('<g clip-path="url(#c0)"><circle r="9"/></g>');
    expectHarmless(svg);
  });

  it('leaves out a clip in a clip in a clip, and one that contains itself', () => {
    const clip = (id: string, inner: string) =>
      `<clipPath id="${id}"><rect width="4" height="4" clip-path="url(#${inner})"/></clipPath>`;
    const content = `${clip('a', 'b')}${clip('b', 'c')}${clip('c', 'a')}<circle r="9" clip-path="url(#a)"/>`;
    const { leftOut, draw: drawAgain } = build(content);
    expect(leftOut).toEqual(['clips within clips']);
    const svg = drawAgain({ inkOf: 'page' });
    expect(svg).toContain(
      '<clipPath id="c0"><rect width="4" height="4" clip-path="url(#c1)"/></clipPath><clipPath id="c1"><rect width="4" height="4"/></clipPath><g><circle r="9" clip-path="url(#c0)"/></g>',
    );
    expectHarmless(svg);
    const once = build(`${clip('a', 'none')}${clip('b', 'a')}<circle r="9" clip-path="url(#b)"/>`);
    expect(once.leftOut).toEqual([]);
  });

  it('says what it left out', () => {
    const { leftOut, draw: drawAgain } = build(
      '<script>alert(1)</script><text>Deep</text><a href="https://x.example"><circle r="1"/></a><image href="https://x.example/a.png"/><use href="#a"/><rect width="5" height="5" onload="alert(1)"/>',
    );
    expect(leftOut).toEqual(['a link', 'a picture', 'a script', 'copies of other parts', 'text']);
    expectHarmless(drawAgain({ inkOf: 'page' }));
  });

  it.each([
    ['no drawing', '<html><p>hello</p></html>', 'no SVG drawing'],
    [
      'only text',
      '<svg viewBox="0 0 9 9"><text>Deep Sunday</text></svg>',
      'Convert the text to outlines',
    ],
    ['nothing', '<svg viewBox="0 0 9 9"/>', 'no shapes'],
    ['no size', '<svg><circle r="9"/></svg>', 'how large it is'],
    [
      'a size that is no number',
      '<svg viewBox="0 0 NaN Infinity"><circle r="9"/></svg>',
      'how large it is',
    ],
    [
      'a size beyond all numbers',
      '<svg width="1e999" height="1"><circle r="9"/></svg>',
      'how large it is',
    ],
    [
      'very many parts',
      `<svg viewBox="0 0 9 9">${'<circle r="1"/>'.repeat(4000)}</svg>`,
      'too many parts',
    ],
    [
      'clips that multiply its parts',
      `<svg viewBox="0 0 9 9"><clipPath id="b">${'<circle r="1"/>'.repeat(50)}</clipPath><clipPath id="a">${'<circle r="1" clip-path="url(#b)"/>'.repeat(50)}</clipPath>${'<circle r="1" clip-path="url(#a)"/>'.repeat(50)}</svg>`,
      'too many parts',
    ],
    ['very deep nesting', `<svg viewBox="0 0 9 9">${'<g>'.repeat(100_000)}`, 'too many parts'],
  ])('is refused with a sentence for %s', (_what, text, sentence) => {
    expect(() => rebuildSvg(text)).toThrow(LookImageRefused);
    expect(() => rebuildSvg(text)).toThrow(sentence);
  });

  it('doesn’t expand entities', () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><svg viewBox="0 0 9 9" class="&b;"><circle r="1"/></svg>`;
    const svg = rebuildSvg(bomb).draw({ inkOf: 'page' });
    expect(svg.length).toBeLessThan(bomb.length);
    expectHarmless(svg);
  });

  const long = 1_000_000;
  it.each([
    ['digits', `<path d="M${'1'.repeat(long)}"/><circle r="${'1'.repeat(long)}x"/>`],
    ['spaces', `<circle r="1" style="fill:${' '.repeat(long)}!"/>`],
    ['letters', `<circle r="1" transform="${'a'.repeat(long)}"/>`],
    ['braces', `<style>${'{'.repeat(long)}</style><circle r="1"/>`],
    ['comments', `<style>${'/*'.repeat(long / 2)}</style><circle r="1"/>`],
    [
      'spaces in short declarations',
      `<circle r="1" style="fill:${' '.repeat(4_900)}!x"/>`.repeat(long / 5_000),
    ],
    [
      'letters in short transforms',
      `<circle r="1" transform="${'a'.repeat(1_990)}"/>`.repeat(long / 2_000),
    ],
    ['commands', `<path d="M0 0${'l1 1'.repeat(long / 4)}"/>`],
  ])('is soon finished with a million %s', (_what, content) => {
    const svg = draw(content);
    expect(svg.length).toBeLessThan(2 * content.length);
    expectHarmless(svg);
  });
});

const hostile = fc.oneof(
  fc.constantFrom(
    'javascript:alert(1)',
    'url(https://evil.example/#a)',
    'url(#a)',
    'expression(alert(1))',
    '"><script>alert(1)</script>',
    '&#x22;&gt;&lt;script&gt;',
    '#fff',
    'red',
    'rgb(1,2,3)',
    'currentColor;background:url(x)',
    'none',
    'NaN',
    'Infinity',
    '1e400',
    '-1e-400',
    '0 0 10 10',
    'M0 0L10 10Z',
    'M0 0 10 10 a1 1 0 11 5 5',
    'translate(1) rotate(2 3 4)',
    ']]>',
    '<!--',
    '{}',
    '.a{fill:url(x)}',
    '50%',
    '3mm',
  ),
  fc.string({ maxLength: 20 }),
  fc.double().map(String),
);
const words = (text: string) => fc.constantFrom(...text.split(' '));
const attributeName = fc.oneof(
  words(
    'd points x y width height r cx rx fill stroke style transform class id clip-path href ' +
      'xlink:href onload onclick mask filter opacity stroke-width stroke-dasharray fill-rule ' +
      'viewBox xmlns xml:base systemLanguage requiredExtensions constructor __proto__',
  ),
  fc.stringMatching(/^[a-z][a-z:-]{0,8}$/),
);
const tagName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SHAPES, 'g', 'svg', 'defs', 'clipPath', 'a') },
  {
    weight: 1,
    arbitrary: words(
      'script style foreignObject image use text animate set iframe svg:script x:rect symbol mask ' +
        'filter handler constructor toString',
    ),
  },
);
const { element } = fc.letrec((tie) => ({
  element: fc
    .record({
      tag: tagName,
      attributes: fc.array(fc.tuple(attributeName, hostile), { maxLength: 6 }),
      children: fc.array(fc.oneof({ depthSize: 'small' }, hostile, tie('element')), {
        maxLength: 4,
      }),
      quote: fc.constantFrom('"', "'"),
    })
    .map(({ tag, attributes, children, quote }) => {
      const list = attributes.map(([name, value]) => ` ${name}=${quote}${value}${quote}`);
      return `<${tag}${list.join('')}>${(children as string[]).join('')}</${tag}>`;
    }),
}));

describe('whatever goes into a drawing', () => {
  it('only shapes and numbers come out', () => {
    let drawn = 0;
    fc.assert(
      fc.property(fc.array(element, { maxLength: 5 }), hostile, (elements, text) => {
        try {
          expectHarmless(draw(`<path d="M0 0h9v9z"/>${elements.join('')}${text}`));
          drawn += 1;
        } catch (error) {
          if (!(error instanceof LookImageRefused)) throw error;
        }
      }),
    );
    expect(drawn).toBeGreaterThan(10);
  });
});
