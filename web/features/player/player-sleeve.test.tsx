import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { buildTrack } from '#web/testing/build-track.ts';
import { PlayerSleeve } from './player-sleeve.tsx';

const render = (coverUrl: string | null) =>
  renderToStaticMarkup(<PlayerSleeve track={buildTrack('a', { coverUrl })} />);

it('the bar shows the cover, or No Cover', () => {
  expect(render('/media/covers/a.webp')).toContain('<img src="/media/covers/a.webp"');
  expect(render('/media/covers/a.webp')).not.toContain('No Cover');
  expect(render(null)).toContain('No Cover');
});
