import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import type { Outcome } from '#contract/admin/week.ts';
import { AttentionPanel, OutcomePanel } from './week-panels.tsx';

const html = (element: ReactElement) =>
  renderToStaticMarkup(<Router ssrPath="/admin">{element}</Router>);
const render = (element: ReactElement) =>
  html(element)
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

it('what needs a hand is named and linked, or nothing does', () => {
  const text = '1 member has a failed payment.';
  const href = '/admin/subscribers?filter=late';
  const attention = [{ kind: 'failed-payments' as const, count: 1, text, href }];
  const panel = <AttentionPanel attention={attention} />;
  expect(render(panel)).toBe(`Needs a hand${text}`);
  expect(html(panel)).toContain(`href="${href}"`);
  expect(render(<AttentionPanel attention={[]} />)).toBe('Needs a handNothing right now.');
});

it.each<[Partial<Outcome>, string]>([
  [{}, 'Nightshift: 1,930 plays. No subscriber has started it yet.'],
  [
    { started: 214, finished: 0.61 },
    'Nightshift: 1,930 plays. 61% of 214 subscribers heard the end.See where they stop',
  ],
  [
    {
      started: 214,
      finished: 0.61,
      drop: { at: 42, share: 0.123, chapter: 'Cooler Box (Edit)' },
    },
    'Nightshift: 1,930 plays. 61% of 214 subscribers heard the end.Most who leave stop at 0:42, Cooler Box (Edit) (12.3% of them all).See where they stop',
  ],
])('a release went so: %j', (change, expected) => {
  const outcome: Outcome = {
    id: 'm1',
    title: 'Nightshift',
    year: 2026,
    weekNumber: 47,
    publishAt: 0,
    plays: 1930,
    started: 0,
    finished: null,
    drop: null,
    ...change,
  };
  expect(render(<OutcomePanel outcome={outcome} />)).toBe(`How week 47 went${expected}`);
});
