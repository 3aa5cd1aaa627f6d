import { describe, expect, it } from 'vitest';
import type { EventName } from '#contract/analytics.ts';
import { commonFields } from './common-fields.ts';
import { createOutbox, type Client, type Outgoing } from './outbox.ts';

const sizes = { screen: { width: 1440, height: 900 }, innerWidth: 1440, innerHeight: 800 };
const makeEvent = (name: EventName, at = 0): Outgoing => ({
  name,
  at,
  fields: commonFields({ at, user: null, appVersion: '1.0.0', sizes }),
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

function createBench({ isAllowed = true, isBlocked = false } = {}) {
  const done: string[] = [];
  const warnings: string[] = [];
  const wish = { isAllowed };
  const client: Client = {
    send: ({ name }, { isLeaving } = { isLeaving: false }) =>
      done.push(isLeaving ? `${name}, leaving` : name),
    setUser: (userId) => done.push(`user ${userId}`),
    stop: () => done.push('stop'),
    resume: () => done.push('resume'),
  };
  let loads = 0;
  const outbox = createOutbox({
    isAllowed: () => wish.isAllowed,
    loadClient: async () => {
      loads++;
      await settle();
      if (isBlocked) throw new Error('blocked');
      return client;
    },
    log: (message) => warnings.push(message),
  });
  return { outbox, done, wish, warnings, loads: () => loads };
}

describe('events', () => {
  it('wait for the client, which is fetched once, and go in their order', async () => {
    const { outbox, done, loads } = createBench();
    outbox.setUser('u1');
    outbox.send(makeEvent('Session Start'));
    outbox.send(makeEvent('play-track'));
    expect(done).toEqual([]);
    await settle();
    await settle();
    outbox.send(makeEvent('Search'));
    expect(done).toEqual(['user u1', 'Session Start', 'play-track', 'Search']);
    expect(loads()).toBe(1);
  });

  it('are dropped when the client does not come, and the page goes on', async () => {
    const { outbox, done, warnings } = createBench({ isBlocked: true });
    outbox.send(makeEvent('Session Start'));
    await settle();
    await settle();
    outbox.send(makeEvent('Search'));
    expect([done, warnings]).toEqual([[], ['The analytics client did not load.']]);
  });

  it('of a page that is left do not fetch the client', () => {
    const { outbox, loads } = createBench();
    outbox.send(makeEvent('Session End'), { isLeaving: true });
    expect(loads()).toBe(0);
  });

  it('of a page that is left go at once when the client is there', async () => {
    const { outbox, done } = createBench();
    outbox.send(makeEvent('Session Start'));
    await settle();
    await settle();
    outbox.send(makeEvent('Session End'), { isLeaving: true });
    expect(done).toEqual(['Session Start', 'Session End, leaving']);
  });
});

describe('while it is asked whether they may go', () => {
  async function holdAfterStart() {
    const bench = createBench();
    bench.outbox.setUser(null);
    bench.outbox.send(makeEvent('Session Start'));
    await settle();
    await settle();
    let answer = () => {};
    bench.outbox.holdUntil(new Promise((resolve) => (answer = resolve)));
    bench.outbox.setUser('u1');
    bench.outbox.send(makeEvent('User Login'));
    return { ...bench, answer };
  }

  it('events wait, and go after a yes', async () => {
    const { done, answer } = await holdAfterStart();
    expect(done).toEqual(['user null', 'Session Start']);
    answer();
    await settle();
    expect(done).toEqual(['user null', 'Session Start', 'user u1', 'User Login']);
  });

  it('nobody is named, and nothing goes after a no', async () => {
    const { done, wish, answer } = await holdAfterStart();
    wish.isAllowed = false;
    answer();
    await settle();
    expect(done).toEqual(['user null', 'Session Start', 'stop']);
  });
});

describe('a no', () => {
  it('from the beginning means that the client is not even fetched', async () => {
    const { outbox, done, loads } = createBench({ isAllowed: false });
    outbox.setUser('u1');
    outbox.send(makeEvent('Session Start'));
    await settle();
    expect([done, loads()]).toEqual([[], 0]);
  });

  it('while the client loads drops what waited', async () => {
    const { outbox, done, wish } = createBench();
    outbox.send(makeEvent('Session Start'));
    wish.isAllowed = false;
    await settle();
    await settle();
    expect(done).toEqual(['stop']);
  });

  it('while it runs stops it once, and a yes goes on as the same person', async () => {
    const { outbox, done, wish } = createBench();
    outbox.setUser('u1');
    outbox.send(makeEvent('Session Start'));
    await settle();
    await settle();
    wish.isAllowed = false;
    outbox.obeyChoice();
    outbox.send(makeEvent('Search'));
    outbox.setUser('u2');
    wish.isAllowed = true;
    outbox.send(makeEvent('play-track'));
    expect(done).toEqual(['user u1', 'Session Start', 'stop', 'resume', 'user u2', 'play-track']);
  });
});
