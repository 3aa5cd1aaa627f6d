import type { Browser, Locator, Page } from '@playwright/test';
import { atBothWidths } from '../support/both-widths.ts';
import { addMix, expect, signInTo, test, type OwnServer } from '../support/own-server.ts';
import type { PageProblems } from '../support/page-problems.ts';

const AUTHORS = 100;
const MINUTES = 50;

/** 5,000 lines of 100 members in an hour of music. */
const addMoments = ({ withDatabase }: OwnServer): void =>
  withDatabase((database) => {
    const insertUser = database.prepare(
      `insert into users (id, username, username_key, email, email_key, password_hash, is_admin,
         created_at, updated_at) values (?1, ?1, ?1, ?1, ?1, '', 0, 0, 0)`,
    );
    const insertMoment = database.prepare(
      `insert into moments (id, user_id, track_id, "second", "minute", text, created_at)
       values (?, ?, 'mix', ?, ?, ?, 0)`,
    );
    database.exec(`begin; update tracks set duration_ms = 3600000`);
    for (let author = 0; author < AUTHORS; author++) {
      insertUser.run(`author${author}`);
      for (let minute = 0; minute < MINUTES; minute++) {
        const second = minute * 60 + 3 + (author % 57);
        const id = `m${String(author * MINUTES + minute).padStart(5, '0')}`;
        insertMoment.run(id, `author${author}`, second, minute, `<b>line</b> ${author}`);
      }
    }
    database.exec('commit');
  });

type Person = { browser: Browser; server: OwnServer; problems: PageProblems };

async function openAs({ browser, server, problems }: Person, name: string, width: number) {
  const viewport = { width, height: 844 };
  const context = await browser.newContext({ viewport, baseURL: server.origin });
  await context.addInitScript(() => localStorage.setItem('analytics-off', '1'));
  if (name !== 'visitor') await signInTo(context, server.origin, name);
  const page = await context.newPage();
  problems.watch(page);
  return page;
}

const list = (page: Page) => page.getByRole('list', { name: 'Moments' });
const leave = (page: Page | Locator) => page.getByRole('button', { name: 'Leave a moment' });

test('a mix with 5,000 moments, for a stranger, a free member, a subscriber and the operator', async ({
  browser,
  ownServer: server,
  problems,
}) => {
  addMix(server, { title: 'Night Bus' });
  addMoments(server);
  const people = { browser, server, problems };
  const desk = await openAs(people, 'admin', 1440);

  await test.step('the operator turns them on, and forbids a word', async () => {
    await desk.goto('/admin/moments');
    await expect(desk.getByLabel('Moments', { exact: true }).first()).toHaveValue('false');
    await desk.getByLabel('Moments', { exact: true }).first().selectOption('true');
    await desk.getByLabel('Words that nobody can use').fill('voetsek');
    await desk.getByRole('button', { name: 'Save' }).click();
    await expect(desk.getByText('Settings saved').first()).toBeVisible();
  });

  const phone = await openAs(people, 'premium', 390);
  await test.step('a subscriber leaves one without stopping the music, and changes it', async () => {
    await phone.goto('/track/mix');
    const rows = list(phone).getByRole('listitem');
    await expect(rows.first()).toContainText('<b>line</b> 0');
    await atBothWidths(phone, () => expect(rows.first()).toBeVisible());
    await phone.getByRole('button', { name: 'Play', exact: true }).first().click();
    await atBothWidths(phone, () => expect(leave(phone)).toBeVisible());
    await leave(phone).click();
    await phone.getByLabel(/^Your moment at 0:0\d$/).fill('first');
    await expect(phone.getByText('Members see it with your username.')).toBeVisible();
    await phone.keyboard.press('Escape');
    await expect(leave(phone)).toBeFocused();
    await phone.keyboard.press('e');
    const player = phone.getByRole('dialog', { name: 'Night Bus' });
    await leave(player).click();
    const field = player.getByLabel(/^Your moment at/);
    await expect(field).toBeFocused();
    await field.pressSequentially('k, this blend', { delay: 0 });
    await phone.keyboard.press('Escape');
    await expect(leave(player)).toBeFocused();
    await test.step('what is being written isn’t lost with the player', async () => {
      await leave(player).click();
      await field.fill('what a start');
      await player.getByRole('button', { name: 'Minimise player' }).click();
      await phone.getByRole('button', { name: 'Leave it' }).click();
      await phone.getByRole('button', { name: 'Undo' }).click();
      await expect(phone.getByText('what a start')).toHaveCount(0);
      await phone.keyboard.press('e');
    });
    await leave(player).click();
    problems.expect(/422 .*\/moments$/);
    await field.fill('Voetsék, DJ');
    await phone.keyboard.press('Enter');
    await expect(player.getByText('“voetsek” isn’t allowed here.')).toBeVisible();
    await field.fill('  what a <i>transition</i>  ');
    await phone.keyboard.press('Enter');
    // It passes at once: the music is still near.
    await expect(player.getByText('what a <i>transition</i>')).toBeVisible();
    await leave(player).click();
    problems.expect(/409 .*\/moments$/);
    await field.fill('again');
    await phone.keyboard.press('Enter');
    await expect(player.getByText('You already left a moment in this minute')).toBeVisible();
    await phone.keyboard.press('Escape');
    await player.getByRole('button', { name: 'Minimise player' }).click();
    await rows.getByRole('button', { name: /^Change your moment/ }).click();
    await phone.getByLabel(/^Your moment at/).fill('what a blend');
    await phone.getByRole('button', { name: 'Save' }).click();
    await expect(rows.filter({ hasText: 'what a blend' })).toHaveCount(1);
  });

  await test.step('the page shows only the rows in view, however many are loaded', async () => {
    const rows = list(phone).getByRole('listitem');
    for (const count of [100, 150]) {
      await phone.getByRole('button', { name: 'Show more' }).click();
      await expect(phone.getByRole('button', { name: 'Show more' })).toBeVisible();
      await expect
        .poll(() => list(phone).evaluate((element) => element.getBoundingClientRect().height))
        .toBeGreaterThan(count * 40);
      expect(await rows.count()).toBeLessThan(50);
    }
  });

  const wide = await openAs(people, 'free', 1440);
  await test.step('a free member reads all, and leaves none', async () => {
    await wide.goto('/track/mix');
    await atBothWidths(wide, async () => {
      await expect(list(wide).getByText('what a blend')).toBeVisible();
      await expect(wide.getByText('Premium members leave one line')).toBeVisible();
    });
    await wide
      .getByRole('button', { name: /^Play preview/ })
      .first()
      .click();
    await expect(wide.getByRole('slider', { name: 'Seek' }).first()).toBeVisible();
    await expect(leave(wide)).toHaveCount(0);
  });

  await test.step('a stranger gets none', async () => {
    const stranger = await openAs(people, 'visitor', 390);
    await stranger.goto('/track/mix');
    await expect(stranger).toHaveURL(/\/login\?next=/);
    for (const path of ['', '/marks']) {
      const answer = await stranger.request.get(`/api/tracks/mix/moments${path}`);
      expect(answer.status()).toBe(401);
    }
    await atBothWidths(stranger, async () => {
      await expect(stranger.getByRole('heading', { name: 'Night Bus' })).toBeVisible();
      await expect(stranger.getByText('what a blend')).toHaveCount(0);
    });
    await stranger.context().close();
  });

  await test.step('the operator hides a line, and turns them off for the mix', async () => {
    await desk.reload();
    await desk.getByRole('searchbox', { name: 'Search by member or mix' }).fill('premium');
    await desk.getByRole('button', { name: 'Hide: what a blend' }).click();
    await expect(desk.getByRole('button', { name: 'Show again: what a blend' })).toBeVisible();
    await wide.reload();
    await expect(list(wide).getByRole('listitem').first()).toBeVisible();
    await expect(list(wide).getByText('what a blend')).toHaveCount(0);
    await desk.getByRole('link', { name: 'Night Bus' }).first().click();
    await desk.getByRole('switch', { name: 'Night Bus' }).click();
    await expect(desk.getByText('Moments are off for this mix').first()).toBeVisible();
    const answer = await wide.request.get('/api/tracks/mix/moments/marks');
    expect(await answer.json()).toEqual({ isOn: false, obstacle: null, marks: [] });
  });

  await test.step('the subscriber still deletes what nobody sees any more', async () => {
    await phone.goto('/settings');
    await phone.getByRole('button', { name: 'Show my moments' }).click();
    await phone.getByRole('button', { name: 'Delete: what a blend' }).click();
    await expect(phone.getByText('You haven’t left any.')).toBeVisible();
    await desk.goto('/admin/moments');
    await desk.getByRole('searchbox', { name: 'Search by member or mix' }).fill('premium');
    await expect(desk.getByText('Hidden, then deleted by its author')).toBeVisible();
  });
  for (const page of [desk, phone, wide]) await page.context().close();
});
