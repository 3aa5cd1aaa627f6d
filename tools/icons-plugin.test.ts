import { expect, it } from 'vitest';
import { toOnePath } from './icons-plugin.ts';

it('draws circles and rounded rectangles as one path', () => {
  const body =
    '<g fill="none"><circle cx="5" cy="12" r="1"/><rect width="5" height="18" x="14" y="3" rx="1"/></g>';
  expect(toOnePath(body)).toBe(
    'M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z' +
      'M15 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1 -1 1h-3a1 1 0 0 1 -1 -1v-16a1 1 0 0 1 1 -1z',
  );
});

it('starts every path at the corner, not where the one before it ended', () => {
  expect(toOnePath('<path d="M2 3v4"/><path d="m7 10l5 5"/>')).toBe('M2 3v4M0 0m7 10l5 5');
});

it('says which shape it cannot draw', () => {
  expect(() => toOnePath('<polygon points="1 2 3 4"/>')).toThrow('<polygon>');
});
