import { DAY, HOUR } from '#contract/rules/time.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { addMix, expect, signInTo, test } from '../support/own-server.ts';

const ZONE = 'Africa/Johannesburg';
const dayOf = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: ZONE }).format(at);
const timeOf = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: ZONE }).format(
    at,
  );

test('the next mix is counted down by the clock of the server, and offered once it is out', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin, withDatabase } = ownServer;
  const now = Date.now();
  const at = now + 2 * DAY + 21.5 * HOUR;
  const earlyAt = at - 2 * DAY;
  const next = weekOf(now + 7 * DAY, ZONE);
  addMix(ownServer, {
    id: 'past',
    title: 'Salt & Sirens',
    ...weekOf(now, ZONE),
    publishAt: now - HOUR,
  });
  addMix(ownServer, {
    id: 'planned',
    title: 'Secret Garden',
    ...next,
    publishAt: at,
  });
  const countdown = `Out ${dayOf(at)} at ${timeOf(at)}, in 2 days 21 hours. Premium hears it on ${dayOf(earlyAt)}.`;

  // A stranger, on a phone whose clock is wrong by a day.
  await page.clock.install({ time: now + DAY });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${origin}/landing`);
  await atBothWidths(page, () => expect(page.getByText(countdown)).toBeVisible());
  const html = await (await context.request.get(`${origin}/`)).text();
  expect(html).toContain('in 2 days 21 hours');
  expect(html).not.toMatch(/Secret Garden|planned/);
  await page.getByRole('link', { name: 'Tell me' }).click();
  await expect(page).toHaveURL(/\/register/);

  // A free member, on a desktop.
  await signInTo(context, origin, 'free');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(origin);
  const note = page.getByRole('region', { name: `Week ${next.week}` });
  await atBothWidths(page, () => expect(note).toContainText(countdown));
  const calendar = await context.request.get(`${origin}/releases.ics`);
  expect(calendar.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  await expect(note.getByRole('link', { name: 'Add to calendar' })).toHaveAttribute(
    'href',
    '/releases.ics',
  );
  const slider = page.getByRole('slider', { name: /^Weeks of/ });
  await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    `Week ${next.week}, out ${dayOf(at)} at ${timeOf(at)}`,
  );
  await note.getByRole('button', { name: 'Tell me' }).press('Enter');
  await expect(
    page.getByText('You’ll get an e-mail when a mix is out', { exact: true }),
  ).toBeVisible();

  // A subscriber waits for an earlier hour, with the page open.
  await signInTo(context, origin, 'premium');
  await page.goto(origin);
  const mine = `You can hear it ${dayOf(earlyAt)} at ${timeOf(earlyAt)}, in 21 hours`;
  await atBothWidths(page, () => expect(note.getByText(mine)).toBeVisible());
  await expect(note.getByRole('status')).toBeEmpty();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.clock.fastForward(22 * HOUR);
  await expect(note.getByRole('status')).toHaveText('It’s out.');
  expect(asked.filter((url) => url.includes('/api/tracks'))).toEqual([]);
  withDatabase((database) =>
    database.prepare(`update tracks set publish_at = ? where id = 'planned'`).run(now + HOUR),
  );
  await note.getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByRole('heading', { name: 'Secret Garden', level: 1 })).toBeVisible();
  await expect(note).toHaveCount(0);
});
