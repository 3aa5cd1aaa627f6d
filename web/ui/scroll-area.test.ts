import { expect, it } from 'vitest';
import { ScrollArea } from './scroll-area.tsx';

it('the bar of a scroll area appears with scrolling and leaves 600 ms later', () => {
  expect(ScrollArea({ children: 'text' }).props).toMatchObject({
    type: 'scroll',
    scrollHideDelay: 600,
  });
});
