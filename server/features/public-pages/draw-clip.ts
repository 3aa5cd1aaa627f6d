import { join } from 'node:path';
import { coverArt } from '#contract/art/cover-art.ts';
import { oklchToHex, weekColor, weekHue } from '#contract/rules/week-colour.ts';
import { CLIP_MOTION } from '../../ports/media/clip-args.ts';
import {
  BONE,
  BONE_2,
  breakLines,
  cleanTitle,
  drawLogo,
  drawTitle,
  drawWeekNumber,
  openSvg,
} from './card-parts.ts';
import type { CardLook, ClipCard } from './card-pictures.ts';
import type { CardTrack } from './draw-card.ts';
import { canDraw, drawText } from './letters.ts';

export const CLIP_SHAPES = ['square', 'upright'] as const;
/** `upright` fills a phone, as a status does. */
export type ClipShape = (typeof CLIP_SHAPES)[number];

type ClipLayout = {
  width: number;
  height: number;
  cover: { left: number; top: number; side: number };
  numeral: { x: number; y: number; width: number; height: number };
  title: { x: number; top: number; width: number; scale: number };
  label: { top: number; height: number };
  wave: { top: number; height: number };
  /** The baseline of the week and the logo. */
  factsY: number;
};

const MARGIN = 40;

/** What apps put over the top and the bottom of a status covers nothing of an upright one. */
export const CLIP_LAYOUTS: Record<ClipShape, ClipLayout> = {
  square: {
    width: 720,
    height: 720,
    cover: { left: MARGIN, top: MARGIN, side: 300 },
    numeral: { x: 372, y: MARGIN, width: 308, height: 300 },
    title: { x: MARGIN, top: 372, width: 640, scale: 0.72 },
    label: { top: 498, height: 36 },
    wave: { top: 542, height: 96 },
    factsY: 684,
  },
  upright: {
    width: 720,
    height: 1280,
    cover: { left: MARGIN, top: 130, side: 640 },
    numeral: { x: MARGIN - 2, y: 802, width: 190, height: 124 },
    title: { x: 256, top: 802, width: 424, scale: 0.78 },
    label: { top: 950, height: 36 },
    wave: { top: 1000, height: 110 },
    factsY: 1168,
  },
};

export type ClipLook = { track: CardTrack; look: CardLook };

const groundOf = ({ track, look }: ClipLook): string =>
  oklchToHex(0.205, 0.028, weekHue(track.week, look.sleeves.hemisphere));

const openOn = (size: { width: number; height: number }, ground: string): string =>
  `${openSvg(size)}<rect width="100%" height="100%" fill="${ground}"/>`;

/** All of a clip that stands still. */
export function drawClipBase(shape: ClipShape, clip: ClipLook, hasCover: boolean): string {
  const { track, look } = clip;
  const layout = CLIP_LAYOUTS[shape];
  const { cover, factsY, width } = layout;
  const place = `<svg x="${cover.left}" y="${cover.top}" `;
  const { id: trackId, week } = track;
  const sleeve = hasCover
    ? ''
    : coverArt({ style: look.sleeves, week, trackId, size: cover.side }).replace('<svg ', place);
  const title = cleanTitle(track.title);
  const facts = { x: MARGIN, y: factsY, capHeight: 18, fill: BONE_2 };
  return (
    openOn(layout, groundOf(clip)) +
    sleeve +
    drawWeekNumber(week, look.sleeves.hemisphere, layout.numeral) +
    (canDraw(title) ? drawTitle(title, layout.title) : '') +
    drawText(`Week ${week}, ${track.year}`, facts) +
    `${drawLogo(look, { x: width - MARGIN, y: factsY, scale: 1.2, isRight: true })}</svg>`
  );
}

/** Bars of the whole clip, with half a video of nothing before and after. */
export function drawClipWave(
  shape: ClipShape,
  clip: ClipLook,
  { bars, isHeard }: { bars: readonly number[]; isHeard: boolean },
): string {
  const { width, wave } = CLIP_LAYOUTS[shape];
  const { hemisphere } = clip.look.sleeves;
  const { week } = clip.track;
  const { barPitch } = CLIP_MOTION;
  const thickness = barPitch * 0.625;
  const fill = isHeard
    ? weekColor(week, hemisphere).hex
    : oklchToHex(0.44, 0.062, weekHue(week, hemisphere));
  const drawn = bars.map((bar, index) => {
    const height = Math.max(4, bar * wave.height);
    const x = width / 2 + index * barPitch + (barPitch - thickness) / 2;
    return `<rect x="${x}" y="${(wave.height - height).toFixed(1)}" width="${thickness}" height="${height.toFixed(1)}"/>`;
  });
  const size = { width: width + bars.length * barPitch, height: wave.height };
  return `${openOn(size, groundOf(clip))}<g fill="${fill}">${drawn.join('')}</g></svg>`;
}

const LABEL_CAP = 20;

/** The track that plays. In another script it stays off the video. */
export function drawClipLabel(shape: ClipShape, clip: ClipLook, text: string): string {
  const { width, label } = CLIP_LAYOUTS[shape];
  const box = { width: width - 2 * MARGIN, capHeight: LABEL_CAP, maxLines: 1 };
  const clean = cleanTitle(text);
  const [line = ''] = canDraw(clean) ? breakLines(clean, box).lines : [];
  const place = { x: MARGIN, y: (label.height + LABEL_CAP) / 2, capHeight: LABEL_CAP, fill: BONE };
  return `${openOn({ width, height: label.height }, groundOf(clip))}${drawText(line, place)}</svg>`;
}

/** Where the pictures of a video are in a folder. */
export const clipPictures = (
  folder: string,
  shape: ClipShape,
  { labels }: Pick<ClipCard, 'labels'>,
) => ({
  base: join(folder, `${shape}-base.png`),
  heard: join(folder, `${shape}-heard.png`),
  rest: join(folder, `${shape}-rest.png`),
  labels: labels.map((_label, index) => join(folder, `${shape}-label-${index}.png`)),
});
