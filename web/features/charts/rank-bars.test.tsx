import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RankBars } from './rank-bars.tsx';

const draw = (recent: (number | null)[]) => renderToStaticMarkup(<RankBars recent={recent} />);
/** From the path's own corner, without the rounding around it. */
const heights = (html: string) =>
  [...html.matchAll(/v-?([\d.]+)h/g)].map(([, height]) => Number(height) + 2);

it('recent ranks are two paths with one name: the last one stands out', () => {
  const html = draw([20, null, 1]);
  expect(html).toContain('role="img" aria-label="Last 3 chart positions: 20, not on the chart, 1"');
  expect(html.match(/<path/g)).toHaveLength(2);
  expect(html).toContain('width="24" height="26"');
});

it('a higher rank has a taller bar, and a dash says that it wasn’t on the chart', () => {
  expect(heights(draw([20, null, 10, 1]))).toEqual([3.6, 2, expect.closeTo(15.4, 0), 26]);
});

it('nothing is drawn without ranks', () => {
  expect(draw([])).toContain('width="0"');
});
