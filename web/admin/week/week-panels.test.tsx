import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import type { Outcome, Week } from '#contract/admin/week.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { AttentionPanel, OutcomePanel, PeoplePanel } from './week-panels.tsx';

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
  const panel = <AttentionPanel attention={attention} checks={[]} />;
  expect(render(panel)).toContain(`Needs a hand${text}`);
  expect(html(panel)).toContain(`href="${href}"`);
  expect(render(<AttentionPanel attention={[]} checks={[]} />)).toContain('All clear.');
});

it('all is clear only if somebody looked', () => {
  const disk: Week['checks'][number] = { kind: 'disk', lookedAt: 0, trouble: null };
  const mail: Week['checks'][number] = {
    kind: 'mail',
    lookedAt: null,
    trouble: 'Not checked yet.',
  };
  const show = (checks: Week['checks']) =>
    render(<AttentionPanel attention={[]} checks={checks} />);
  expect(show([disk])).toContain('All clear.');
  const text = show([disk, mail]);
  expect(text).toContain('E-mail: Not checked yet.');
  expect(text).not.toContain('All clear');
});

it('what can’t be mended on a page is no link', () => {
  const attention = [{ kind: 'disk' as const, count: 1, text: 'The disk is full.', href: null }];
  const panel = html(<AttentionPanel attention={attention} checks={[]} />);
  expect(panel).toContain('The disk is full.');
  expect(panel).not.toContain('href');
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

it('who joined after which preview, and who left and why, are named and linked', () => {
  const people: Week['people'] = {
    since: '2026-11-20',
    release: { id: 'm1', title: 'Nightshift', weekNumber: 47 },
    joined: 18,
    joinedFrom: [
      { id: 'm1', title: 'Nightshift', weekNumber: 47, count: 11 },
      { id: 'm2', title: 'Pool Lights', weekNumber: 46, count: 4 },
    ],
    left: 3,
    reasons: [
      { way: 'cancelled', reason: 'too-expensive', count: 2 },
      { way: 'unpaid', reason: null, count: 1 },
    ],
  };
  const week = { people, today: '2026-11-26', playsToday: 3 };
  const panel = (change: Partial<Week['people']> = {}) => (
    <QueryClientProvider client={createQueryClient()}>
      <PeoplePanel week={{ ...week, people: { ...people, ...change } }} />
    </QueryClientProvider>
  );
  expect(render(panel())).toBe(
    'Since Friday’s release+18 / −3Joined after a preview of Nightshift, week 47 (11), Pool Lights, week 46 (4).Left: Too expensive (2), Payment failed (1).3 plays today.',
  );
  const days = 'from=2026-11-20&amp;to=2026-11-26';
  expect(html(panel())).toContain(`list?report=subscribers&amp;figure=new&amp;${days}`);
  expect(html(panel())).toContain(`list?report=leaving&amp;figure=left&amp;${days}`);
  const quiet = { joined: 0, joinedFrom: [], left: 0, reasons: [], release: null };
  expect(render(panel(quiet))).toBe('In the last seven days+0 / −03 plays today.');
});
