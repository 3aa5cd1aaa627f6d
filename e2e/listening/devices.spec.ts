import { request, type BrowserContext } from '@playwright/test';
import { golden, robots } from '../support/e2e-tracks.ts';
import { expect, newAccount, subscribe, test, type Account } from '../support/fixtures.ts';
import { inBar, playFromHome } from '../support/player-page.ts';
import { expectSilence, expectSound, watchSound } from '../support/sound.ts';

test.use({ viewport: { width: 390, height: 844 } });
test.beforeEach(({ page }) => watchSound(page));

const logIn = async (device: Pick<BrowserContext, 'request'>, account: Account, origin: string) => {
  const { username, password } = account;
  const data = { username, password };
  const answer = await device.request.post(`${origin}/api/auth/login`, {
    data,
    headers: { origin },
  });
  expect(answer.ok()).toBe(true);
};

/** A device without a page. */
async function playElsewhere(account: Account, origin: string): Promise<void> {
  const device = await request.newContext();
  await logIn({ request: device }, account, origin);
  const play = `${origin}/api/tracks/${golden.id}/play`;
  expect((await device.post(play, { headers: { origin } })).ok()).toBe(true);
  await device.dispose();
}

test('a fourth device stops the first one, which says why and can take over again', async ({
  page,
  openAs,
  origin,
  problems,
  registerByApi,
}) => {
  problems.expect(/403.*heartbeat$/);
  const account = newAccount();
  await registerByApi(account);
  subscribe(account);
  const started = page.waitForResponse('**/play');
  await playFromHome(page, golden.title);
  await expectSound(page);
  await started;
  await playElsewhere(account, origin);
  await playElsewhere(account, origin);

  const fourth = await openAs('visitor', { baseURL: origin });
  await logIn(fourth.context(), account, origin);
  await watchSound(fourth);
  await playFromHome(fourth, robots.title);
  await expectSound(fourth);

  const note = page.getByRole('status').filter({ hasText: 'You’re listening on another device' });
  await expect(note).toContainText('Your account plays on 3 devices at a time');
  await expectSilence(page);
  await expect(inBar(page, 'Play')).toBeVisible();
  await expectSound(fourth);

  await note.getByRole('button', { name: 'Play here' }).click();
  await expect(note).toBeHidden();
  await expectSound(page);
});
