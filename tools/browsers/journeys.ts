import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { writeToneWav } from '#server/testing/tone-wav.ts';
import { PASSWORD, type BrowserSite } from './browser-site.ts';
import { describeTarget, type Target } from './find-in-page.ts';
import type { Visit } from './visit.ts';

export type Place = {
  visit: Visit;
  site: BrowserSite;
  folder: string;
  /** What the console may say, because the journey provokes it. */
  expected: RegExp[];
};

const button = (name: string | RegExp, within?: Target): Target => ({
  role: 'button',
  name,
  ...(within && { within }),
});
const link = (name: string | RegExp, within?: Target): Target => ({
  role: 'link',
  name,
  ...(within && { within }),
});
const heading = (name: string | RegExp): Target => ({ role: 'heading', name });
const text = (name: string | RegExp): Target => ({ role: 'text', name });
const textbox = (name: string | RegExp, within?: Target): Target => ({
  role: 'textbox',
  name,
  ...(within && { within }),
});

const main: Target = { role: 'main' };
const bar: Target = { role: 'region', name: 'Player' };
const fullPlayer: Target = { role: 'dialog' };

const expect = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(what);
};

async function logIn({ visit }: Place, username: string): Promise<void> {
  await visit.open('/login');
  await visit.fill(textbox(/^Username/, main), username);
  await visit.fill(textbox('Password', main), PASSWORD);
  await visit.press(button('Login', main));
  await visit.until('the member is on Home', async () => (await visit.path()) === '/');
}

async function logOut({ visit }: Place): Promise<void> {
  await visit.press(button(/^My Account/));
  await visit.press({ role: 'menuitem', name: 'Logout' });
  await visit.press(link('Login'));
}

const hearMovingSound = async ({ visit }: Place): Promise<void> => {
  const from = await visit.until('something plays', async () => {
    const time = await visit.soundTime();
    return time !== null && { time };
  });
  await visit.until('the time moves', async () => {
    const time = await visit.soundTime();
    return time !== null && time > from.time + 0.5;
  });
};

/** Nothing is wider than the window. */
const fits = async ({ visit }: Place): Promise<void> => {
  const { room, width } = await visit.run(() => ({
    room: window.innerWidth,
    width: document.documentElement.scrollWidth,
  }));
  expect(width <= room, `The page is ${width} wide in a window of ${room}.`);
};

const playMix = async (place: Place, id: string): Promise<void> => {
  await place.visit.open(`/track/${id}`);
  await place.visit.press(button(/^Play/, main));
  await hearMovingSound(place);
};

const newest = ({ site }: Place): { id: string; title: string } => {
  const mix = site.mixes.at(-1);
  if (!mix) throw new Error('The site has no mixes.');
  return mix;
};

let uploads = 4;

/** Each starts in a window of its own, that knows nobody. */
export const journeys: Record<string, (place: Place) => Promise<void>> = {
  Home: async (place) => {
    const { visit, site } = place;
    await visit.open('/');
    await visit.see({ role: 'heading', name: newest(place).title });
    for (const { title } of site.mixes.slice(0, -1)) await visit.see(text(new RegExp(title)));
    await fits(place);
    await visit.press(link('Top 20'));
    await visit.see(heading('Top 20'));
    await fits(place);
  },

  Preview: async (place) => {
    const { visit, site } = place;
    await visit.open('/');
    const before = site.audio.length;
    await visit.press(button(/^Play preview/, main));
    await hearMovingSound(place);
    await visit.until('silence', async () => (await visit.soundTime()) === null, 60_000);
    await visit.see({ role: 'dialog', name: /Premium/ });
    const ends = await visit.run(() => {
      const { media } = window as unknown as { media: Set<HTMLMediaElement> };
      return [...media].map((element) => element.currentTime);
    });
    const end = Math.max(...ends);
    expect(end <= PREVIEW_SECONDS + 0.1, `It played ${end} seconds.`);
    const asked = site.audio.slice(before);
    const count = asked.length;
    expect(
      asked.every(({ path }) => path.includes('/preview')),
      `It asked for ${asked.map(({ path }) => path).join(', ')}`,
    );
    // Another page later, nothing more was sent.
    await visit.pressKey({ role: 'dialog' }, 'Escape');
    await visit.press(link('Top 20'));
    await visit.see(heading('Top 20'));
    expect(site.audio.length === before + count, 'It went on loading after the end.');
  },

  'Login by form': async (place) => {
    const { visit } = place;
    await visit.open('/login');
    await visit.press(button('Login', main));
    await visit.see({ role: 'text', name: /^Enter your/ });
    await visit.fill(textbox(/^Username/, main), 'member');
    await visit.fill(textbox('Password', main), 'wrong-password-1');
    await visit.press(button('Login', main));
    await visit.see(text('Invalid username or password'));
    await visit.fill(textbox('Password', main), PASSWORD);
    await visit.press(button('Login', main));
    await visit.until('the member is on Home', async () => (await visit.path()) === '/');
    await visit.press(button(/^My Account/));
    await visit.see({ role: 'menuitem', name: /Logout|Log out/ });
  },

  'Full mix and seeking': async (place) => {
    const { visit, site } = place;
    await logIn(place, 'member');
    const before = site.audio.length;
    await playMix(place, newest(place).id);
    // Behind what a preview has, and back.
    await visit.press(button(/Candle Math/));
    await visit.until('it plays at 0:45', async () => ((await visit.soundTime()) ?? 0) > 45);
    await hearMovingSound(place);
    await visit.press(button(/Intro/));
    await visit.until('it plays at the start', async () => {
      const time = await visit.soundTime();
      return time !== null && time < 40;
    });
    await hearMovingSound(place);
    const asked = site.audio.slice(before);
    expect(
      asked.some(({ path, status }) => path.includes('/stream') && status === 206),
      `It asked for no part of the mix: ${JSON.stringify(asked)}`,
    );
  },

  Queue: async (place) => {
    const { visit, site } = place;
    const [first = '', second = ''] = site.mixes.map(({ title }) => title);
    await logIn(place, 'member');
    // From a list: what is below becomes the queue.
    await visit.press(button(`Play: ${second}`, { role: 'region', name: 'New releases' }));
    await hearMovingSound(place);
    await visit.press(button('Expand player', bar));
    await visit.press(button('Queue', fullPlayer));
    // The message with “Undo” names the mix, too.
    const remove = button(`Remove ${first} from the queue`);
    await visit.press(remove);
    await visit.until('the row is gone', async () => !(await visit.sees(remove)));
    await visit.press(button('Undo'));
    await visit.see(remove);
    // A sheet on a phone, beside the player elsewhere. A message has a “Close”, too.
    const sheet: Target = { role: 'dialog', name: 'Current Queue' };
    await visit.press((await visit.sees(sheet)) ? button('Close', sheet) : button('Close queue'));
    await visit.press(button('Next', fullPlayer));
    await visit.see({ role: 'heading', name: first, within: fullPlayer });
    await hearMovingSound(place);
  },

  'Saved mix without a line': async (place) => {
    const { visit, site } = place;
    // The page notices that the site is gone, and so does the console.
    place.expected.push(/./);
    const { id, title } = newest(place);
    await logIn(place, 'member');
    await visit.open(`/track/${id}`);
    await visit.until('the service worker has the page', () =>
      visit.run(() => navigator.serviceWorker.controller !== null),
    );
    await visit.press(button('Download', main));
    await visit.press(button('Save offline', { role: 'dialog' }));
    await visit.see(button('Remove', { role: 'dialog' }));
    site.cutLine();
    try {
      await visit.open(`/track/${id}`);
      await visit.see(heading(title));
      const isReachable = await visit.run(() =>
        fetch('/api/version').then(
          () => true,
          () => false,
        ),
      );
      expect(!isReachable, 'The line is not cut.');
      await visit.press(button('Play', main));
      await hearMovingSound(place);
      await visit.press(button(/Candle Math/));
      await visit.until('it plays at 0:45', async () => ((await visit.soundTime()) ?? 0) > 45);
      await visit.open('/downloads');
      await visit.see({ role: 'link', name: new RegExp(title), within: main });
    } finally {
      await site.restoreLine();
    }
    await visit.open('/');
    await visit.see({ role: 'heading', name: /./, within: main });
  },

  Upload: async (place) => {
    const { visit, folder } = place;
    const title = `Shift ${randomUUID().slice(0, 8)}`;
    const file = join(folder, `${title}.wav`);
    // The site knows audio that it has already.
    await writeFile(file, writeToneWav({ seconds: 25, loudFrom: (uploads += 0.1) }));
    await logIn(place, 'operator');
    await visit.open('/admin/upload');
    await visit.chooseFiles('Audio files', [file]);
    await visit.press(link(`Publish or schedule ${title}`), 90_000);
    await visit.press(button(/^Publish now/, main), 90_000);
    await visit.see(heading(`${title} is out`));
    await visit.open('/');
    await visit.see(text(new RegExp(title)));
  },

  Paying: async (place) => {
    const { visit, site } = place;
    const name = `sipho${randomUUID().slice(0, 8)}`;
    site.resetRegistrationLimit();
    await visit.open('/landing');
    await visit.press(link('R79 a month'));
    await visit.fill(textbox('Username', main), name);
    await visit.fill(textbox('E-mail', main), `${name}@example.com`);
    await visit.fill(textbox('Password', main), PASSWORD);
    await visit.press(button('Create account', main));
    await visit.press({ role: 'radio', name: /Insufficient funds/ });
    await visit.press(button('Pay with this card'));
    await visit.see({ role: 'alert', name: /insufficient funds/ });
    await visit.press({ role: 'radio', name: /Successful card/ });
    await visit.press(button('Pay with this card'));
    await visit.see(heading('You have Premium'));
    await visit.open(`/track/${newest(place).id}`);
    await visit.press(button('Play', main));
    await hearMovingSound(place);
  },

  Admin: async (place) => {
    const { visit } = place;
    await logIn(place, 'operator');
    for (const [path, title] of [
      ['/admin', 'Friday'],
      ['/admin/tracks', 'Mixes'],
      ['/admin/payments', 'Payments'],
      ['/admin/reports', 'Reports'],
      ['/admin/jobs', 'System'],
      ['/admin/settings', 'Look'],
      ['/admin/mails', 'Releases and mail'],
    ] as const) {
      await visit.open(path);
      await visit.see(heading(title));
      await fits(place);
    }
    await visit.open('/admin/subscribers');
    await visit.press({
      role: 'link',
      name: /\bmember\b/,
      within: { role: 'list', name: 'Members' },
    });
    await visit.press(button('Grant access'));
    const dialog: Target = { role: 'dialog', name: 'Grant access' };
    await visit.press(button('Grant access', dialog));
    await visit.see({ role: 'text', name: 'Enter a reason.', within: dialog });
    await visit.fill(textbox('Reason', dialog), 'Won the competition.');
    await visit.press(button('Grant access', dialog));
    await visit.see(text(/Won the competition/));
    const isBehindDialog = await visit.run(
      () => document.querySelector('[role=dialog], dialog[open]') !== null,
    );
    expect(!isBehindDialog, 'The dialog stays.');
  },

  'What it can’t do': async (place) => {
    const { visit } = place;
    await visit.open('/login');
    const can = await visit.run(() => ({
      passkeys: 'PublicKeyCredential' in window,
      notices: 'PushManager' in window && 'Notification' in window,
      areNoticesBlocked: 'Notification' in window && Notification.permission === 'denied',
      casting:
        'remote' in HTMLMediaElement.prototype ||
        'webkitShowPlaybackTargetPicker' in HTMLMediaElement.prototype,
      transitions: 'startViewTransition' in Document.prototype,
      background: 'periodicSync' in ServiceWorkerRegistration.prototype,
    }));
    /** One of them, and none of the others. */
    const expectOnly = async (right: Target, ...wrong: Target[]) => {
      await visit.see(right);
      for (const one of wrong)
        expect(!(await visit.sees(one)), `There is also ${describeTarget(one)}`);
    };
    const expectEither = (isPossible: boolean, possible: Target, impossible: Target) =>
      isPossible ? expectOnly(possible, impossible) : expectOnly(impossible, possible);
    await expectEither(
      can.passkeys,
      button('Log in with a passkey'),
      text('This browser can’t log in with a passkey.'),
    );
    await logIn(place, 'member');
    await visit.open('/settings');
    await expectEither(
      can.passkeys,
      button('Add a passkey…'),
      text('This browser has no passkeys. Add one in another browser.'),
    );
    const offered = text(/^One notification/);
    const blocked = text(/^Your browser blocks notifications/);
    const missing = text(/can’t show notifications/);
    if (!can.notices) await expectOnly(missing, offered, blocked);
    // As Chromium without a window does.
    else if (can.areNoticesBlocked) await expectOnly(blocked, offered, missing);
    else await expectOnly(offered, blocked, missing);
    await visit.see(
      text(can.background ? /in the background/ : /when you open the site\. It takes/),
    );
    expect(
      (await visit.sees(text(/can’t play on a speaker/))) !== can.casting,
      'It says nothing about speakers.',
    );
    expect(
      (await visit.sees(text(/Pages change at once/))) !== can.transitions,
      'It says nothing about transitions.',
    );
    await fits(place);
  },
};

/** Pages that show most of what a browser has to draw. Who sees them is in front. */
const PAGES = [
  [null, ['/', '/login', '/landing']],
  ['member', ['/track', '/library', '/pricing', '/settings', '/downloads']],
  ['operator', ['/admin', '/admin/upload', '/admin/reports', '/admin/settings']],
] as const;

async function takePlayer(place: Place): Promise<Buffer> {
  const { visit } = place;
  await playMix(place, newest(place).id);
  await visit.press(button('Expand player', bar));
  await visit.see(button('Queue', fullPlayer));
  await visit.until('the player has opened', () =>
    visit.run(() =>
      document
        .querySelector('dialog[open], [role=dialog]')
        ?.getAnimations()
        .every(({ playState }) => playState === 'finished'),
    ),
  );
  return visit.screenshot();
}

/** What a person should look at, in both themes. */
export async function takePictures(
  place: Place,
  keep: (name: string, picture: Buffer) => Promise<void>,
): Promise<void> {
  const { visit } = place;
  for (const [username, paths] of PAGES) {
    if (username) await logIn(place, username);
    for (const path of paths)
      for (const theme of ['dark', 'light']) {
        await visit.open(path === '/track' ? `/track/${newest(place).id}` : path);
        await visit.run((chosen) => localStorage.setItem('color-theme', chosen), theme);
        await visit.open(path === '/track' ? `/track/${newest(place).id}` : path);
        await visit.see({ role: 'heading', name: /./, within: main });
        await visit.until('nothing loads any more', () =>
          visit.run(
            () =>
              document.querySelector('main [class*=animate-breathe]') === null &&
              document.fonts.status === 'loaded',
          ),
        );
        const name = `${theme}${path.replaceAll('/', '-')}`;
        await keep(name, await visit.screenshot());
        if (path === '/track') await keep(`${theme}-player`, await takePlayer(place));
      }
    if (username === 'member') await visit.open('/');
    if (username === 'member') await logOut(place);
  }
}
