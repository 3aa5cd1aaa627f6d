import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '../support/fixtures.ts';
import { expect, signInTo, test } from '../support/own-server.ts';
import { writeToneWav } from '../support/tone-wav.ts';

// It goes a long way.
test.describe.configure({ timeout: 180_000 });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function pressForStatus(page: Page, button: string): Promise<number> {
  const sent = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: button, exact: true }).click();
  return (await sent).status();
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every form that needs none does what it says, and says what went wrong', async ({
    ownServer: { origin, withDatabase },
    page,
    context,
    problems,
  }) => {
    problems.expect(/40[0-9]/);
    problems.expect(/csp GET \/assets\/.*\.js/);
    await test.step('a member stops the e-mails about releases', async () => {
      await page.goto(`${origin}/api/unsubscribe/guess`);
      await expect(heading(page, 'Link not found')).toBeVisible();
      const token = withDatabase((database) => {
        const { id } = database.prepare("select id from users where username = 'free'").get() as {
          id: string;
        };
        const { value } = database
          .prepare("select value from secrets where name = 'unsubscribe-links'")
          .get() as { value: string };
        const signed = ['unsubscribe', id, 'releases'].join('\n');
        const key = Buffer.from(value, 'base64url');
        return `releases.${id}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
      });
      await page.goto(`${origin}/api/unsubscribe/${token}`);
      expect(await pressForStatus(page, 'Unsubscribe')).toBe(200);
      await expect(heading(page, 'You’re unsubscribed')).toBeVisible();
    });

    await test.step('a visitor is told that logging in needs scripts', async () => {
      await page.goto(`${origin}/login`);
      await page.getByLabel('Username').fill('free');
      await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
      expect(await pressForStatus(page, 'Login')).toBe(405);
      await expect(page.getByText(/This form needs JavaScript/)).toBeVisible();
      expect(page.url()).not.toContain(DEMO_PASSWORD);
    });

    await test.step('a member pays on the test payment page, and changes the card', async () => {
      await signInTo(context, origin, 'free');
      /** Paying ends when the provider's message has arrived; until then there is no card to change. */
      const askForUrl = async (path: string, data?: object) => {
        let url = '';
        await expect(async () => {
          const answer = await context.request.post(origin + path, { data, headers: { origin } });
          ({ url = '' } = (await answer.json()) as { url?: string });
          expect(url).not.toBe('');
        }).toPass();
        return url;
      };
      await page.goto(await askForUrl('/api/checkout', { plan: 'monthly' }));
      await page.getByLabel('Insufficient funds').check();
      expect(await pressForStatus(page, 'Pay with this card')).toBe(402);
      await expect(page.getByRole('alert')).toContainText('insufficient funds');
      await page.getByLabel('3‑D Secure card').check();
      expect(await pressForStatus(page, 'Pay with this card')).toBe(200);
      expect(await pressForStatus(page, 'Approve payment')).toBe(303);
      await page.waitForURL(/\/subscription-success/);

      await page.goto(await askForUrl('/api/subscription/card'));
      await page.getByLabel('Successful card').check();
      expect(await pressForStatus(page, 'Pay with this card')).toBe(303);
      await page.waitForURL(/\/subscription/);
    });

    await test.step('an administrator uploads a mix; someone who no longer is one learns why not', async () => {
      await signInTo(context, origin, 'admin');
      await page.goto(`${origin}/admin/upload-old`);
      const fill = async (week: string) => {
        await page.getByLabel('Title').fill('By hand');
        await page.getByLabel('Week').fill(week);
        await page.getByLabel('Year').fill('2026');
        await page
          .getByLabel('Audio file')
          .setInputFiles({ name: 'wk48.wav', mimeType: 'audio/wav', buffer: writeToneWav(3) });
      };
      await fill('99');
      expect(await pressForStatus(page, 'Upload')).toBe(400);
      await expect(heading(page, 'Upload failed')).toBeVisible();
      await page.getByRole('link', { name: 'Upload another file' }).click();
      await fill('48');
      expect(await pressForStatus(page, 'Upload')).toBe(200);
      await expect(heading(page, 'Upload complete')).toBeVisible();
      await page.getByRole('link', { name: 'Upload another file' }).click();
      await fill('48');
      await context.clearCookies();
      expect(await pressForStatus(page, 'Upload')).toBe(401);
      await expect(page.getByText('Log in to continue.')).toBeVisible();
    });
  });
});
