import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StillWaveform } from './waveform-picture.tsx';
import { BAR_PITCH_PX } from '#contract/art/waveform.ts';
import { BAR_STEPS, countBars, type WaveformSource } from './waveform-shape.ts';

const source: WaveformSource = {
  peaks: Array.from({ length: 1600 }, (_, i) => (i % 100) / 100),
  duration: 1600,
  chapters: [800],
  preview: null,
  scale: 'preview',
};

/** The drawings with the widths at which the style sheet shows them. */
function listDrawings() {
  const html = renderToStaticMarkup(<StillWaveform source={source} className="h-24" />);
  return [
    ...html.matchAll(
      /<svg viewBox="0 -100 (\d+) 100"[^>]* class="([^"]*)"[^>]*><path d="([^"]*)"/g,
    ),
  ].map(([, width, classes = '', path = '']) => ({
    count: Number(width) / BAR_PITCH_PX,
    from: Number(/@min-\[(\d+)px\]\/wave:block/.exec(classes)?.[1] ?? 0),
    to: Number(/@min-\[(\d+)px\]\/wave:hidden/.exec(classes)?.[1] ?? Infinity),
    isHidden: /(^| )hidden/.test(classes),
    bars: path.match(/V0/g)?.length,
  }));
}

it('a waveform is in the page before it is measured, and looks the same afterwards', () => {
  const drawings = listDrawings();
  expect(drawings).toHaveLength(BAR_STEPS.length);
  for (let width = BAR_STEPS[0].from; width < 2600; width++) {
    const shown = drawings.filter(({ from, to }) => width >= from && width < to);
    expect(
      shown.map(({ count }) => count),
      `${width} pixels`,
    ).toEqual([countBars(width)]);
  }
  expect(drawings.map(({ isHidden }) => isHidden)).toEqual([false, true, true, true, true, true]);
});

it('every drawing has a gap where a chapter starts', () => {
  for (const { count, bars } of listDrawings()) expect(bars).toBe(count - 1);
});
