import { expect, it } from 'vitest';
import { ScrollArea } from './scroll-area.tsx';

it('a scroll area shows its scrollbar while scrolling and hides it after 600 ms', () => {
  expect(ScrollArea({ children: 'text' }).props).toMatchObject({
    type: 'scroll',
    scrollHideDelay: 600,
  });
});
