import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import type { Dashboard } from '#contract/admin/reports.ts';
import { DAY } from '#contract/rules/time.ts';
import { AttentionPanel, ReleasePanel } from './dashboard-panels.tsx';

const now = Date.UTC(2026, 10, 15, 12);
const mix: Dashboard['releases'][number] = {
  id: 'm1',
  title: 'Night Bus',
  status: 'ready',
  progress: 100,
  failure: null,
  publishAt: null,
  stage: 'draft',
  plays: 0,
};
const dashboard: Dashboard = {
  asOf: now,
  today: '2026-11-15',
  week: { year: 2026, week: 46 },
  releases: [mix],
  live: { listeners: 0, definition: '' },
  playsToday: 0,
  attention: [],
};

const render = (element: ReactElement) =>
  renderToStaticMarkup(<Router ssrPath="/admin">{element}</Router>)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

it.each([
  [{}, 'Ready, not published.'],
  [{ status: 'processing', progress: 40 }, 'Processing, 40%.'],
  [{ status: 'failed', failure: 'Not audio.' }, 'Not audio.'],
  [{ stage: 'scheduled', publishAt: now + 3 * DAY }, /^Scheduled for .*18 Nov/],
  [{ stage: 'early', publishAt: now + DAY }, /^Out for subscribers; public .*16 Nov/],
  [{ stage: 'out', publishAt: now - DAY, plays: 3 }, /^Published .*14 Nov.* 3 plays$/],
] as const)('the release of the week with %j says so: %s', (change, expected) => {
  const releases = [{ ...mix, ...change }];
  const [, state = ''] = render(<ReleasePanel dashboard={{ ...dashboard, releases }} />).split(
    'This week’s release 46 Night Bus ',
  );
  if (typeof expected === 'string') expect(state).toBe(expected);
  else expect(state).toMatch(expected);
});

it('a week without a release asks for one', () => {
  expect(render(<ReleasePanel dashboard={{ ...dashboard, releases: [] }} />)).toBe(
    'This week’s release 46 Nothing yet No mix for week 46 yet. Upload a mix',
  );
});

it('what needs attention is named and linked, or all is clear', () => {
  const text = '1 member has a failed payment.';
  const href = '/admin/subscribers?filter=late';
  const attention = [{ kind: 'failed-payments' as const, count: 1, text, href }];
  const panel = <AttentionPanel attention={attention} />;
  expect(render(panel)).toBe(`Needs attention ${text}`);
  expect(renderToStaticMarkup(<Router ssrPath="/admin">{panel}</Router>)).toContain(
    `href="${href}"`,
  );
  expect(render(<AttentionPanel attention={[]} />)).toBe(
    'Needs attention All clear. Mixes, payments and jobs are running normally.',
  );
});
