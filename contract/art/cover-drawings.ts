import type { SleeveFamily } from './sleeve-style.ts';

/** Four colours of one week: the ground, two marks on it and an accent. */
export type Ground = { bg: string; a: string; b: string; c: string };
type Draw = (ground: Ground, random: () => number, week: number) => Shape[];

/** The elements of SVG that sleeves consist of, so that a canvas can show them too. */
export type Shape = { tag: 'rect' | 'circle' | 'path' | 'g'; children?: Shape[] } & Attributes;

type Attributes = {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  cx?: number;
  cy?: number;
  r?: number;
  d?: string;
  fill?: string;
  stroke?: string;
  'stroke-width'?: number;
  'stroke-dasharray'?: string;
  'stroke-linecap'?: 'round';
  'stroke-linejoin'?: 'round';
  /** Degrees, and the point in the middle. */
  rotate?: readonly [number, number, number];
  translate?: readonly [number, number];
};

export const SLEEVE_SIZE = 400;

export const variants = [
  'pressing',
  'sunrise',
  'skyline',
  'halves',
  'moire',
  'halftone',
  'truchet',
  'ridges',
  'yearwheel',
  'tape',
] as const;
type Variant = (typeof variants)[number];

/** The drawings of each family. */
export const families: Record<SleeveFamily, readonly Variant[]> = {
  all: variants,
  records: ['pressing', 'halves', 'yearwheel', 'tape'],
  landscapes: ['sunrise', 'skyline', 'ridges'],
  patterns: ['moire', 'halftone', 'truchet'],
};

const n = (value: number): number => +value.toFixed(1);

/**
 * Shapes of one colour are one path: phones lay out every element of a picture, and a list shows
 * twenty sleeves at once.
 */
const fillPath = (fill: string, d: string): Shape[] => (d ? [{ tag: 'path', d, fill }] : []);
const strokePath = (stroke: string, width: number, d: string): Shape[] =>
  d ? [{ tag: 'path', d, fill: 'none', stroke, 'stroke-width': width }] : [];

const circle = (cx: number, cy: number, radius: number): string => {
  const r = n(radius);
  return `M${n(cx - r)} ${n(cy)}a${r} ${r} 0 1 0 ${n(2 * r)} 0a${r} ${r} 0 1 0 ${n(-2 * r)} 0`;
};

export const drawings: Record<Variant, Draw> = {
  /** Off-centre vinyl with grooves and a label. */
  pressing(p, r) {
    const cx = n(200 + (r() - 0.5) * 220);
    const cy = n(200 + (r() - 0.5) * 220);
    const disc = (radius: number, fill: string): Shape => ({
      tag: 'circle',
      cx,
      cy,
      r: radius,
      fill,
    });
    const grooves: Shape[] = [];
    for (let i = 0; i < 15; i++) {
      const radius = 226 - i * 9.5;
      const length = 2 * Math.PI * radius;
      const on = length * (0.25 + r() * 0.7);
      grooves.push({
        tag: 'circle',
        cx,
        cy,
        r: n(radius),
        fill: 'none',
        stroke: i % 5 === 2 ? p.c : p.bg,
        'stroke-width': n(1 + r() * 3),
        'stroke-dasharray': `${n(on)} ${n(length - on)}`,
        rotate: [n(r() * 360), cx, cy],
      });
    }
    return [disc(236, p.a), ...grooves, disc(74, p.b), disc(34, p.c), disc(6, p.a)];
  },

  /** A disc cut by a horizon. */
  sunrise(p, r) {
    const y = 236 + r() * 50;
    const radius = 120 + r() * 36;
    const cx = 130 + r() * 140;
    const out: Shape[] = [
      { tag: 'circle', cx: n(cx), cy: n(y), r: n(radius), fill: p.b },
      { tag: 'circle', cx: n(cx), cy: n(y), r: n(radius * 0.62), fill: p.c },
      { tag: 'rect', y: n(y), width: 400, height: 200, fill: p.a },
    ];
    for (let i = 0; i < 7; i++) {
      const top = y + 10 + i * (8 + i * 2.2);
      const width = radius * 2 * (1 - i * 0.1) * (0.75 + r() * 0.4);
      out.push({
        tag: 'rect',
        x: n(cx - width / 2 + (r() - 0.5) * 26),
        y: n(top),
        width: n(width),
        height: n(3 + i * 0.9),
        fill: i % 3 ? p.b : p.c,
      });
    }
    return out;
  },

  /** A large mirrored waveform. */
  skyline(p, r) {
    const bars = 15 + Math.floor(r() * 7);
    const step = SLEEVE_SIZE / bars;
    const phase = r() * 6;
    const width = step * 0.68;
    let [marks, accent] = ['', ''];
    for (let i = 0; i < bars; i++) {
      const envelope = Math.sin((i / bars) * Math.PI);
      const swing = Math.abs(Math.sin(i * 0.9 + phase) * Math.cos(i * 0.37 + phase));
      const height = 30 + 330 * envelope * (0.35 + 0.65 * swing);
      const half = (height - width) / 2;
      const bar = `M${n((i + 0.5) * step)} ${n(200 - half)}V${n(200 + half)}`;
      if (i === Math.floor(bars * 0.62)) accent = bar;
      else marks += bar;
    }
    const children = [...strokePath(p.a, n(width), marks), ...strokePath(p.c, n(width), accent)];
    return [{ tag: 'g', 'stroke-linecap': 'round', children }];
  },

  /** One record in two halves that don't meet. */
  halves(p, r) {
    const slip = 34 + r() * 56;
    const half = (sweep: number, disc: string, ring: string) => {
      const arc = (i: number) =>
        `M200 ${50 + i * 14}A${150 - i * 14} ${150 - i * 14} 0 0 ${sweep} 200 ${350 - i * 14}`;
      const thin = [1, 2, 3, 5, 6, 7].map(arc).join('');
      return [
        ...fillPath(disc, `${arc(0)}Z`),
        ...strokePath(ring, 1.8, thin),
        ...strokePath(ring, 5, arc(4)),
      ];
    };
    return [
      {
        tag: 'g',
        rotate: [Math.floor(r() * 4) * 45, 200, 200],
        children: [
          { tag: 'g', translate: [0, n(-slip)], children: half(0, p.a, p.bg) },
          { tag: 'g', translate: [0, n(slip)], children: half(1, p.b, p.c) },
        ],
      },
    ];
  },

  /** Two overlapping pressings. */
  moire(p, r) {
    const x1 = n(90 + r() * 80);
    const y1 = n(120 + r() * 160);
    const x2 = n(230 + r() * 90);
    const y2 = n(120 + r() * 160);
    const rings = (x: number, y: number, count: number) =>
      Array.from({ length: count }, (_, i) => circle(x, y, (i + 1) * 14)).join('');
    return [
      ...strokePath(p.a, 5, rings(x1, y1, 25)),
      ...strokePath(p.b, 6, rings(x2, y2, 11)),
      ...fillPath(p.c, circle(x2, y2, 26)),
    ];
  },

  /** A speaker grille in motion. */
  halftone(p, r) {
    const cells = 12;
    const cell = SLEEVE_SIZE / cells;
    const cx = 2 + r() * 8;
    const cy = 2 + r() * 8;
    const frequency = 0.75 + r() * 0.5;
    const dots = { a: '', b: '', c: '' };
    for (let y = 0; y < cells; y++)
      for (let x = 0; x < cells; x++) {
        const distance = Math.hypot(x - cx, y - cy);
        const wave = Math.cos(distance * frequency);
        const color = distance < 1.3 ? 'c' : wave > 0.72 ? 'b' : 'a';
        const radius = cell * (0.1 + 0.36 * (0.5 + 0.5 * wave));
        dots[color] += circle((x + 0.5) * cell, (y + 0.5) * cell, radius);
      }
    return [...fillPath(p.a, dots.a), ...fillPath(p.b, dots.b), ...fillPath(p.c, dots.c)];
  },

  /** Patch cables: quarter-arc tiles. */
  truchet(p, r) {
    const tiles = 4;
    const tile = SLEEVE_SIZE / tiles;
    const arcs = { a: '', b: '', c: '' };
    for (let row = 0; row < tiles; row++)
      for (let column = 0; column < tiles; column++) {
        const isFlipped = r() < 0.5;
        const isHot = r() < 0.2;
        const cable = (ox: number, oy: number, sx: number, sy: number) => {
          const arc = (share: number) => {
            const radius = n(tile * share);
            return `M${n(ox + sx * radius)} ${n(oy)}A${radius} ${radius} 0 0 ${sx * sy > 0 ? 1 : 0} ${n(ox)} ${n(oy + sy * radius)}`;
          };
          arcs.a += arc(0.28) + arc(0.72);
          arcs[isHot ? 'c' : 'b'] += arc(0.5);
        };
        const x = column * tile;
        const y = row * tile;
        cable(isFlipped ? x : x + tile, y, isFlipped ? 1 : -1, 1);
        cable(isFlipped ? x + tile : x, y + tile, isFlipped ? -1 : 1, -1);
      }
    return [
      ...strokePath(p.a, 13, arcs.a),
      ...strokePath(p.b, 13, arcs.b),
      ...strokePath(p.c, 13, arcs.c),
    ];
  },

  /** Stacked crests, each one hiding the next. */
  ridges(p, r) {
    const hot = 4 + Math.floor(r() * 5);
    const out: Shape[] = [];
    for (let row = 0; row < 12; row++) {
      const y = 96 + row * 25;
      const crest = 110 + r() * 180;
      const width = 34 + r() * 44;
      const height = 34 + r() * 54;
      const frequency = 0.05 + r() * 0.05;
      let d = `M-10 420L-10 ${y}`;
      for (let x = -10; x <= 410; x += 10) {
        const bell = height * Math.exp(-(((x - crest) / width) ** 2));
        const rise =
          bell * (0.82 + 0.18 * Math.sin(x * frequency * 4)) + 4 * Math.sin(x * frequency + row);
        d += `L${x} ${n(y - rise)}`;
      }
      out.push({
        tag: 'path',
        d: `${d}L410 420Z`,
        fill: row === hot ? p.c : p.bg,
        stroke: row === hot ? p.b : p.a,
        'stroke-width': 4,
        'stroke-linejoin': 'round',
      });
    }
    return out;
  },

  /** The year as 52 ticks, with this week lit. */
  yearwheel(p, r, week) {
    const ticks = { before: '', lit: '', after: '' };
    for (let i = 1; i <= 52; i++) {
      const isLit = i === ((week - 1) % 52) + 1;
      const length = isLit ? 108 : 22 + 62 * Math.abs(Math.sin(i * 1.7 + r() * 1.4));
      const when = isLit ? 'lit' : i < week ? 'before' : 'after';
      ticks[when] += drawTick(length, isLit ? 13 : 9, (i / 52) * 2 * Math.PI);
    }
    const [lit, before] = [fillPath(p.c, ticks.lit), fillPath(p.a, ticks.before)];
    // Ticks overlap the one before them. In week 53 the first one is lit.
    const past = week > 52 ? [...lit, ...before] : [...before, ...lit];
    const hub = [...fillPath(p.a, circle(200, 200, 56)), ...fillPath(p.bg, circle(200, 200, 9))];
    return [...past, ...fillPath(p.b, ticks.after), ...hub];
  },

  /** Tape paths turning a corner. */
  tape(p, r) {
    const turn = Math.floor(r() * 4) * 90;
    const width = 30 + r() * 8;
    const fills = [p.a, p.bg, p.b, p.bg, p.c, p.bg, p.a, p.bg, p.b];
    const children: Shape[] = [];
    for (const [i, fill] of fills.entries()) {
      const radius = 356 - i * width;
      if (radius < 24) break;
      const d = `M0 ${n(400 - radius)}H20A${n(radius)} ${n(radius)} 0 0 1 ${n(20 + radius)} 400H0Z`;
      children.push({ tag: 'path', d, fill });
    }
    return [{ tag: 'g', rotate: [turn, 200, 200], children }];
  },
};

/** A bar with round corners that points outwards from the hub of the wheel. */
function drawTick(length: number, width: number, angle: number): string {
  const [left, top, radius] = [-5, -74 - length, 4];
  const at = (x: number, y: number) =>
    `${n(200 + x * Math.cos(angle) - y * Math.sin(angle))} ${n(200 + x * Math.sin(angle) + y * Math.cos(angle))}`;
  const [right, bottom] = [left + width, top + length];
  const corner = (x: number, y: number) => `A${radius} ${radius} 0 0 1 ${at(x, y)}`;
  return `M${at(left + radius, top)}L${at(right - radius, top)}${corner(right, top + radius)}L${at(right, bottom - radius)}${corner(right - radius, bottom)}L${at(left + radius, bottom)}${corner(left, bottom - radius)}L${at(left, top + radius)}${corner(left + radius, top)}Z`;
}
