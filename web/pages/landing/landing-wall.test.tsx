import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { boot } from '#web/lib/store/boot.ts';
import { LandingWall } from './landing-wall.tsx';

const { hemisphere } = boot.look.sleeves;
afterEach(() => void (boot.look.sleeves.hemisphere = hemisphere));

it('tells the year by the seasons where the DJ lives', () => {
  const render = () =>
    renderToStaticMarkup(<LandingWall thisWeek={{ year: 2026, week: 47 }} weeks={[1]} />);
  expect(render()).toContain('Week 1 starts in summer orange');
  boot.look.sleeves.hemisphere = 'north';
  expect(render()).toContain('by July the covers are summer orange');
});
