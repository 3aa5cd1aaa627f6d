import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { bar, inBar, playFromHome } from '../support/player-page.ts';

/** A browser with a speaker in reach, which connects when it is asked. */
function addSpeaker(): void {
  class FakeRemote extends EventTarget {
    state = 'disconnected';
    readonly #element: HTMLMediaElement;
    constructor(element: HTMLMediaElement) {
      super();
      this.#element = element;
    }
    async watchAvailability(callback: (isAvailable: boolean) => void) {
      callback(true);
      return 1;
    }
    async prompt() {
      this.state = this.state === 'connected' ? 'disconnected' : 'connected';
      Object.assign(window, { castAddress: this.#element.src });
      this.dispatchEvent(new Event(this.state === 'connected' ? 'connect' : 'disconnect'));
    }
  }
  const remotes = new WeakMap<HTMLMediaElement, FakeRemote>();
  Object.defineProperty(HTMLMediaElement.prototype, 'remote', {
    get(this: HTMLMediaElement) {
      const remote = remotes.get(this) ?? new FakeRemote(this);
      remotes.set(this, remote);
      return remote;
    },
  });
}

const castButton = (page: Page) => inBar(page, 'Play on another device');
const readCastAddress = (page: Page) =>
  page.evaluate(() => (window as unknown as { castAddress: string }).castAddress);

/**
 * What a speaker runs: a page of another site, which the server must allow to load the address.
 * Its sound goes through a meter.
 */
const receiverPage = (address: string) => `<!doctype html><title>Speaker</title>
  <audio crossorigin src="${address}"></audio><button>Play</button><script>
  const audio = document.querySelector('audio');
  document.querySelector('button').onclick = () => {
    const context = new AudioContext();
    const meter = context.createAnalyser();
    context.createMediaElementSource(audio).connect(meter).connect(context.destination);
    window.readSound = () => {
      const samples = new Float32Array(meter.fftSize);
      meter.getFloatTimeDomainData(samples);
      return { seconds: audio.currentTime, level: Math.max(...samples.map(Math.abs)) };
    };
    audio.play();
  };</script>`;

type Sound = { seconds: number; level: number };

async function expectSoundAfter(receiver: Page, second: number): Promise<void> {
  const read = () =>
    receiver.evaluate(() => (window as unknown as { readSound: () => Sound }).readSound());
  await expect.poll(async () => (await read()).seconds).toBeGreaterThan(second);
  await expect.poll(async () => (await read()).level).toBeGreaterThan(0.01);
}

/** In a browser of its own, as far from the listener's as a speaker is. */
async function playOnReceiver(browser: Browser, address: string): Promise<void> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(receiverPage(address));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const speaker = await browser.newContext();
  try {
    const receiver = await speaker.newPage();
    await receiver.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    await receiver.getByRole('button', { name: 'Play' }).click();
    await expectSoundAfter(receiver, 0);
    await receiver.locator('audio').evaluate((audio: HTMLAudioElement) => {
      audio.currentTime = 45;
    });
    await expectSoundAfter(receiver, 45);
    const part = await receiver.evaluate(async (url) => {
      const answer = await fetch(url, { headers: { range: 'bytes=100-199' } });
      const { byteLength } = await answer.arrayBuffer();
      return [answer.status, byteLength, answer.headers.get('content-range')];
    }, address);
    expect(part).toEqual([206, 100, expect.stringMatching(/^bytes 100-199\/\d+$/)]);
    expect(await speaker.cookies()).toEqual([]);
  } finally {
    await speaker.close();
    site.close();
  }
}

test('a subscriber plays a mix on a speaker, which needs no cookies', async ({
  page,
  signIn,
  browser,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(addSpeaker);
  await signIn('premium');
  await playFromHome(page, golden.title);
  await castButton(page).click();
  await expect(castButton(page)).toHaveAttribute('aria-pressed', 'true');
  const address = await readCastAddress(page);
  expect(address).toContain(`/media/casts/${golden.id}/`);
  await playOnReceiver(browser, address);
  await expect(inBar(page, 'Pause')).toBeVisible();
  await castButton(page).click();
  await expect(castButton(page)).toHaveAttribute('aria-pressed', 'false');
  // On a phone it is in the expanded player.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(castButton(page)).toBeHidden();
  await bar(page).getByRole('button', { name: 'Expand player' }).click();
  await expect(page.getByRole('button', { name: 'Play on another device' })).toBeVisible();
  // The button doesn't push the text out of the middle, not even on a small phone.
  await page.setViewportSize({ width: 320, height: 640 });
  const readCentre = async () => {
    const box = await page.getByText('Now playing', { exact: true }).boundingBox();
    return box && Math.round(box.x + box.width / 2);
  };
  await expect.poll(readCentre).toBe(160);
});

test.describe('release notices', () => {
  test.use({ serviceWorkers: 'allow' });

  test('are turned on by the listener only, and shown when a push message arrives', async ({
    page,
    context,
    registerByApi,
    origin,
  }) => {
    // There is no push service here, so its part is played by the test.
    await page.addInitScript(() => {
      let isSubscribed = false;
      let permission: NotificationPermission = 'default';
      const key =
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
      const subscription = {
        toJSON: () => ({
          endpoint: `https://push.example/${Math.random()}`,
          keys: { p256dh: key, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
        }),
        unsubscribe: async () => {
          isSubscribed = false;
          return true;
        },
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (isSubscribed ? subscription : null),
        subscribe: async () => {
          isSubscribed = true;
          return subscription;
        },
      });
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      Notification.requestPermission = async () => (permission = 'granted');
    });
    await registerByApi(newAccount());
    await page.goto('/settings');
    const section = page.getByRole('region', { name: 'Tell me' });
    const notices = section.getByRole('switch', { name: 'New releases on this device' });
    await expect(notices).toBeEnabled();
    await expect(notices).not.toBeChecked();
    expect(await page.evaluate(() => Notification.permission)).toBe('default');
    await notices.click();
    await expect(notices).toBeChecked();

    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const [worker] = context.serviceWorkers();
    // A browser without a window shows no notification and opens no page.
    await worker?.evaluate(() => {
      const seen: string[][] = [];
      Object.assign(self, { seen });
      const show = async (
        title: string,
        { body, data }: { body: string; data: { path: string } },
      ) => void seen.push([title, body, data.path]);
      Object.assign(Reflect.get(self, 'registration') as object, { showNotification: show });
      const openWindow = async (url: string) => void seen.push(['opened', url]);
      Object.assign(Reflect.get(self, 'clients') as object, { openWindow });
    });
    const readSeen = () => worker?.evaluate(() => Reflect.get(self, 'seen') as string[][]);
    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
        if (own) resolve(own.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    const data = {
      title: 'Week 46: Golden',
      body: 'Out now',
      path: `/track/${golden.id}`,
      tag: 'x',
    };
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: await registered,
      data: JSON.stringify(data),
    });
    const shown = [data.title, data.body, data.path];
    await expect.poll(readSeen).toEqual([shown]);
    await worker?.evaluate(async (path) => {
      const waiting: unknown[] = [];
      const click = Object.assign(new Event('notificationclick'), {
        notification: { data: { path }, close: () => undefined },
        waitUntil: (work: unknown) => void waiting.push(work),
      });
      self.dispatchEvent(click);
      await Promise.all(waiting);
    }, data.path);
    expect(await readSeen()).toEqual([shown, ['opened', `${origin}${data.path}`]]);
    await notices.click();
    await expect(notices).not.toBeChecked();
  });
});
