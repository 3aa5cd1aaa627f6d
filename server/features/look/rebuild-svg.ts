import { Parser } from 'htmlparser2';
import { LookImageRefused } from './look-image-refused.ts';

/** What a program has written: nothing in here is trusted. */
type Read = { tag: string; attributes: Record<string, string>; children: Read[] };

/** What we write: only names and values that this file makes. */
type Shape = { tag: string; attributes: Record<string, string>; children: Shape[] };

type Box = { x: number; y: number; width: number; height: number };

export type RebuiltSvg = {
  box: Box;
  /** In one ink, or, for looking at it ourselves, in its own colours. The size is that of the picture. */
  draw: (options: { inkOf: 'page' | 'drawing'; box?: Box; width?: number }) => string;
  /** What the drawing contained and a logo can’t have: `text`, `a script`. */
  leftOut: string[];
};

const MAX_ELEMENTS = 3_000;
const MAX_DEPTH = 40;
/** A clip is drawn again wherever it is used: without a limit, each level multiplies the work. */
const MAX_CLIP_DEPTH = 2;
const MAX_DRAWN = 20_000;

const tooManyParts = () =>
  new LookImageRefused(
    'This drawing has too many parts for a logo. Simplify it, or save it as a PNG.',
  );

/** Groups, and links, whose content is a group. */
const GROUPS = new Set(['svg', 'g', 'a', 'switch']);

type Axis = 'x' | 'y' | 'both';

/** Every element that is drawn, and the lengths that it has. */
const SHAPES: Record<string, Record<string, Axis>> = {
  path: {},
  rect: { x: 'x', y: 'y', width: 'x', height: 'y', rx: 'x', ry: 'y' },
  circle: { cx: 'x', cy: 'y', r: 'both' },
  ellipse: { cx: 'x', cy: 'y', rx: 'x', ry: 'y' },
  line: { x1: 'x', y1: 'y', x2: 'x', y2: 'y' },
  polyline: {},
  polygon: {},
};

/** What people lose without noticing, in words. Everything else that we don’t know isn’t visible. */
const LEFT_OUT: Record<string, string> = {
  script: 'a script',
  handler: 'a script',
  text: 'text',
  tspan: 'text',
  textPath: 'text',
  image: 'a picture',
  feImage: 'a picture',
  foreignObject: 'a web page',
  use: 'copies of other parts',
  mask: 'a mask',
  filter: 'an effect',
  animate: 'an animation',
  animateTransform: 'an animation',
  animateMotion: 'an animation',
  set: 'an animation',
};

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const MAX_NUMBER = 1e6;

function parseNumber(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) <= MAX_NUMBER ? value : null;
}

const formatNumber = (value: number): string =>
  String(Math.abs(value) < 1e-5 ? 0 : Number(value.toPrecision(6)));

/** In pixels. */
const UNITS: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};
/** Patterns are only tried on short texts: no attribute can keep one busy. */
const limit = (text: string, max: number): string => (text.length <= max ? text : '');

const LENGTH = new RegExp(`^(${NUMBER})(px|pt|pc|mm|cm|in|%)?$`, 'i');

/** `whole` is what 100 % are. */
function parseLength(text: string | undefined, whole: number): number | null {
  const [, number, unit = ''] = LENGTH.exec(limit(text ?? '', 40).trim()) ?? [];
  if (number === undefined) return null;
  const factor = unit === '%' ? whole / 100 : (UNITS[unit.toLowerCase()] ?? 1);
  const value = parseNumber(number);
  return value === null ? null : parseNumber(String(value * factor));
}

const numberPattern = new RegExp(NUMBER, 'gi');

/** Null if there is anything but numbers between spaces and commas. */
function parseNumbers(text: string): number[] | null {
  if (text.replaceAll(numberPattern, '').replaceAll(/[\s,]/g, '') !== '') return null;
  const numbers = (text.match(numberPattern) ?? []).map(parseNumber);
  return numbers.every((number) => number !== null) ? numbers : null;
}

const formatNumbers = (numbers: readonly number[]): string => numbers.map(formatNumber).join(' ');

/** How many numbers each command of a path takes; those of an arc include two flags. */
const COMMANDS: Record<string, number> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
};
const isFlag = (command: string, index: number): boolean =>
  command === 'a' && (index === 3 || index === 4);

/** As browsers do, up to the first thing that isn’t a path. */
function rebuildPath(text: string): string {
  const token = new RegExp(`[\\s,]*(?:([mlhvcsqtaz])|(${NUMBER}))`, 'iy');
  const flag = /[\s,]*([01])/y;
  let path = '';
  let command = '';
  let at = 0;
  const readNumbers = (count: number): number[] | null => {
    const numbers: number[] = [];
    while (numbers.length < count) {
      const pattern = isFlag(command.toLowerCase(), numbers.length) ? flag : token;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      const value = parseNumber(
        match?.[2] ?? (pattern === flag ? match?.[1] : undefined) ?? 'none',
      );
      if (!match || value === null) return null;
      at = pattern.lastIndex;
      numbers.push(value);
    }
    return numbers;
  };
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) return path;
    const [, letter] = match;
    if (letter) {
      if (path === '' && letter.toLowerCase() !== 'm') return path;
      [command, at] = [letter, token.lastIndex];
    } else if (command === '' || command.toLowerCase() === 'z') return path;
    const numbers = readNumbers(COMMANDS[command.toLowerCase()] ?? 0);
    if (!numbers) return path;
    path += command + formatNumbers(numbers);
  }
}

const TRANSFORMS: Record<string, readonly number[]> = {
  matrix: [6],
  translate: [1, 2],
  scale: [1, 2],
  rotate: [1, 3],
  skewX: [1],
  skewY: [1],
};

function rebuildTransform(text: string): string {
  const parts = [...limit(text, 2_000).matchAll(/(?<![a-z])([a-z]+)\s*\(([^()]*)\)/gi)].flatMap(
    ([, name = '', list = '']) => {
      const numbers = parseNumbers(list);
      if (!numbers || !Object.hasOwn(TRANSFORMS, name)) return [];
      return TRANSFORMS[name]?.includes(numbers.length)
        ? [`${name}(${formatNumbers(numbers)})`]
        : [];
    },
  );
  return parts.join(' ');
}

/** A colour that may reach a renderer, though never a page; any other paint is a tone between. */
const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s.,%]{1,40}\))$/i;

const isNoPaint = (text: string): boolean => /^(?:none|transparent)$/i.test(text);
const cleanPaint = (text: string): string => (COLOUR.test(text) ? text : '#555');

const oneOf =
  (...values: string[]) =>
  (text: string): string | null =>
    values.find((value) => value === text) ?? null;
const amount =
  (max: number) =>
  (text: string): string | null => {
    const value = parseLength(text, 1);
    return value === null ? null : formatNumber(Math.min(max, Math.max(0, value)));
  };

/** How a shape is drawn, except for its paint. */
const STYLES: Record<string, (text: string) => string | null> = {
  'fill-rule': oneOf('evenodd', 'nonzero'),
  'clip-rule': oneOf('evenodd', 'nonzero'),
  'stroke-linecap': oneOf('round', 'square', 'butt'),
  'stroke-linejoin': oneOf('round', 'bevel', 'miter'),
  'stroke-width': amount(MAX_NUMBER),
  'stroke-miterlimit': amount(100),
  'stroke-dasharray': (text) => {
    const numbers = parseNumbers(text);
    return numbers && numbers.every((number) => number >= 0) ? formatNumbers(numbers) : null;
  },
  opacity: amount(1),
  'fill-opacity': amount(1),
  'stroke-opacity': amount(1),
};

const PAINTS = ['fill', 'stroke'];
const READ_STYLES = new Set([
  ...Object.keys(STYLES),
  ...PAINTS,
  'display',
  'visibility',
  'clip-path',
]);

type Declarations = Record<string, string>;

function parseDeclarations(text: string): Declarations {
  const pairs = limit(text, 5_000)
    .split(';')
    .flatMap((part) => {
      const [declared = '', priority = 'important'] = part.split('!');
      const [name = '', ...values] = declared.split(':');
      const key = name.trim().toLowerCase();
      const isValid = values.length > 0 && priority.trim().toLowerCase() === 'important';
      return isValid && READ_STYLES.has(key) ? [[key, values.join(':').trim()] as const] : [];
    });
  return Object.fromEntries(pairs);
}

/** Drawing programs write `.cls-1 { fill: none }`. Only that: a selector with one name. */
function parseStylesheet(css: string): Map<string, Declarations> {
  const rules = new Map<string, Declarations>();
  for (const rule of limit(css, 20_000)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('}')) {
    const [selectors = '', body = ''] = rule.split('{');
    const declarations = parseDeclarations(body);
    for (const selector of selectors.split(',')) {
      const [name] = /^[.#]?[\w-]+$/.exec(limit(selector, 200).trim()) ?? [];
      if (name) rules.set(name, { ...rules.get(name), ...declarations });
    }
  }
  return rules;
}

/** One for each depth at which it is used, so that none can contain itself. */
type UsedClip = { id: string; source: Read; depth: number };

type Source = { root: Read; rules: Map<string, Declarations>; leftOut: Set<string> };

/** Reads without loading anything, and without entities of its own: those of a document stay text. */
function readSource(text: string): Source {
  const leftOut = new Set<string>();
  const stack: Read[] = [];
  let root: Read | undefined;
  let css = '';
  let [count, styleDepth] = [0, 0];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const tag = name.replace(/^svg:/, '');
        count += 1;
        if (count > MAX_ELEMENTS || stack.length >= MAX_DEPTH) throw tooManyParts();
        const element: Read = { tag, attributes, children: [] };
        const isRoot = root === undefined && tag === 'svg';
        if (isRoot) root = element;
        else stack.at(-1)?.children.push(element);
        stack.push(element);
        if (tag === 'style') styleDepth += 1;
        const lost = Object.hasOwn(LEFT_OUT, tag) ? LEFT_OUT[tag] : undefined;
        if (lost) leftOut.add(lost);
        for (const [attribute, value] of Object.entries(attributes)) {
          if (/^on/i.test(attribute)) leftOut.add('a script');
          if (tag === 'a' && /(?:^|:)href$/.test(attribute) && value) leftOut.add('a link');
        }
      },
      onclosetag: (name) => {
        stack.pop();
        if (name.replace(/^svg:/, '') === 'style') styleDepth -= 1;
      },
      ontext: (data) => {
        if (styleDepth > 0) css += data;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (!root) throw new LookImageRefused('This file is no SVG drawing.');
  return { root, rules: parseStylesheet(css), leftOut };
}

function readViewBox({ attributes }: Read): Box {
  const [x, y, width, height] = parseNumbers(attributes.viewBox ?? '') ?? [0, 0, 0, 0];
  if (x !== undefined && y !== undefined && width && height && width > 0 && height > 0)
    return { x, y, width, height };
  const [w, h] = [parseLength(attributes.width, 0), parseLength(attributes.height, 0)];
  if (w !== null && h !== null && w > 0 && h > 0) return { x: 0, y: 0, width: w, height: h };
  throw new LookImageRefused(
    'This drawing doesn’t say how large it is. Save it again with a size.',
  );
}

/** The same drawing, made of nothing but shapes and numbers. */
export function rebuildSvg(text: string): RebuiltSvg {
  const { root, rules, leftOut } = readSource(text);
  const box = readViewBox(root);
  const wholes: Record<Axis, number> = {
    x: box.width,
    y: box.height,
    both: Math.hypot(box.width, box.height) / Math.SQRT2,
  };
  const clips = new Map<string, Read>();
  const usedClips = new Map<string, UsedClip>();
  collectClips(root);

  function collectClips(element: Read) {
    const { id } = element.attributes;
    const isInUnitsOfUser = element.attributes.clipPathUnits !== 'objectBoundingBox';
    if (element.tag === 'clipPath' && id && isInUnitsOfUser && !clips.has(id))
      clips.set(id, element);
    element.children.forEach(collectClips);
  }

  /** Attributes first, then the stylesheet, then the element’s own style, as in a browser. */
  function readStyle({ tag, attributes }: Read): Declarations {
    const names = [tag, ...(attributes.class ?? '').split(/\s+/).map((name) => `.${name}`)];
    if (attributes.id) names.push(`#${attributes.id}`);
    const own = Object.entries(attributes).filter(([name]) => READ_STYLES.has(name));
    return Object.assign(
      Object.fromEntries(own),
      ...names.map((name) => rules.get(name)),
      parseDeclarations(attributes.style ?? ''),
    ) as Declarations;
  }

  function writeClip(name: string, depth: number): string | null {
    const source = clips.get(name);
    if (!source) return null;
    if (depth > MAX_CLIP_DEPTH) {
      leftOut.add('clips within clips');
      return null;
    }
    const key = `${depth} ${name}`;
    const clip = usedClips.get(key) ?? { id: `c${usedClips.size}`, source, depth };
    usedClips.set(key, clip);
    return `url(#${clip.id})`;
  }

  function rebuildStyle(style: Declarations, depth: number): Record<string, string> {
    const written: Record<string, string> = {};
    for (const paint of PAINTS) {
      const value = style[paint]?.trim();
      if (!value || value === 'inherit') continue;
      // A colour is for our own eyes: a page gets one ink, see `toMarkup`.
      written[paint] = isNoPaint(value) ? 'none' : cleanPaint(value);
    }
    for (const [name, clean] of Object.entries(STYLES)) {
      const value = style[name] === undefined ? null : clean(style[name].trim());
      if (value !== null) written[name] = value;
    }
    const [, clip] =
      /^url\(\s*["']?#([^"')]+)["']?\s*\)$/.exec(limit(style['clip-path'] ?? '', 200)) ?? [];
    const used = clip === undefined ? null : writeClip(clip, depth);
    if (used !== null) written['clip-path'] = used;
    return written;
  }

  function rebuildGeometry({ tag, attributes }: Read): Record<string, string> {
    const written: Record<string, string> = {};
    for (const [name, axis] of Object.entries(SHAPES[tag] ?? {})) {
      const value = parseLength(attributes[name], wholes[axis]);
      if (value !== null) written[name] = formatNumber(value);
    }
    if (tag === 'path') written.d = rebuildPath(attributes.d ?? '');
    if (tag === 'polyline' || tag === 'polygon')
      written.points = formatNumbers(parseNumbers(attributes.points ?? '') ?? []);
    return written;
  }

  const isHidden = ({ display, visibility }: Declarations): boolean =>
    display === 'none' || visibility === 'hidden';

  /** `depth` is that of the clips which it uses. */
  function rebuild(element: Read, depth: number): Shape[] {
    const { tag, attributes } = element;
    const isGroup = GROUPS.has(tag);
    if (!isGroup && !Object.hasOwn(SHAPES, tag)) return [];
    const style = readStyle(element);
    if (isHidden(style)) return [];
    const written = { ...rebuildGeometry(element), ...rebuildStyle(style, depth) };
    const transform = rebuildTransform(attributes.transform ?? '');
    if (transform) written.transform = transform;
    if (!isGroup) return [{ tag, attributes: written, children: [] }];
    const children = element.children.flatMap((child) => rebuild(child, depth));
    if (children.length === 0) return [];
    return [{ tag: 'g', attributes: written, children }];
  }

  const content = root.children.flatMap((child) => rebuild(child, 1));
  const rootStyle = rebuildStyle(readStyle(root), 1);
  if (content.length === 0)
    throw new LookImageRefused(
      leftOut.has('text')
        ? 'This drawing is only text. Convert the text to outlines in your drawing program, then save it again.'
        : 'This drawing has no shapes that can be drawn in one ink.',
    );
  const drawn: Shape = { tag: 'g', attributes: rootStyle, children: content };
  const definitions = rebuildClips();
  if (countDrawn(drawn, definitions) > MAX_DRAWN) throw tooManyParts();

  /** A clip may be clipped itself, so the list grows while it is read. */
  function rebuildClips(): Shape[] {
    const done: Shape[] = [];
    for (const { id, source, depth } of usedClips.values()) {
      const transform = rebuildTransform(source.attributes.transform ?? '');
      done.push({
        tag: 'clipPath',
        attributes: { id, ...(transform && { transform }) },
        children: source.children.flatMap((child) => rebuild(child, depth + 1)),
      });
    }
    return done;
  }

  const draw: RebuiltSvg['draw'] = ({ inkOf, box: shown = box, width }) => {
    const size =
      width === undefined
        ? ''
        : ` width="${width}" height="${Math.max(1, Math.round((width * shown.height) / shown.width))}"`;
    const viewBox = formatNumbers([shown.x, shown.y, shown.width, shown.height]);
    const parts = [...definitions.map((shape) => toMarkup(shape, inkOf)), toMarkup(drawn, inkOf)];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"${size}${inkOf === 'page' ? ' fill="currentColor"' : ''}>${parts.join('')}</svg>`;
  };
  return { box, draw, leftOut: [...leftOut].toSorted() };
}

/** How many parts a renderer draws, with each clip once for every use. */
function countDrawn(drawn: Shape, definitions: readonly Shape[]): number {
  const counts = new Map<string, number>();
  const count = ({ attributes, children }: Shape): number =>
    children.reduce(
      (sum, child) => sum + count(child),
      1 + (counts.get(attributes['clip-path'] ?? '') ?? 0),
    );
  // A clip only uses clips that come after it.
  for (const clip of definitions.toReversed())
    counts.set(`url(#${clip.attributes.id})`, count(clip));
  return count(drawn);
}

/** Every value is a number, a name from a list in this file or one of its own ids. */
function toMarkup({ tag, attributes, children }: Shape, inkOf: 'page' | 'drawing'): string {
  const texts = Object.entries(attributes).map(([name, value]) => {
    const isInk = PAINTS.includes(name) && value !== 'none' && inkOf === 'page';
    return ` ${name}="${isInk ? 'currentColor' : value}"`;
  });
  const start = `<${tag}${texts.join('')}`;
  if (children.length === 0) return `${start}/>`;
  return `${start}>${children.map((child) => toMarkup(child, inkOf)).join('')}</${tag}>`;
}
