import { describe, expect, it } from 'vitest';
import type { EventName } from '#contract/analytics.ts';
import { buildCommonFields } from './common-fields.ts';
import { createEventQueue, type AnalyticsClient, type QueuedEvent } from './event-queue.ts';

const sizes = { screen: { width: 1440, height: 900 }, innerWidth: 1440, innerHeight: 800 };
const makeEvent = (name: EventName, at = 0): QueuedEvent => ({
  name,
  at,
  fields: buildCommonFields({ at, user: null, appVersion: '1.0.0', sizes }),
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

function createBench({ isAllowed = true, isBlocked = false } = {}) {
  const done: string[] = [];
  const warnings: string[] = [];
  const choice = { isAllowed };
  const client: AnalyticsClient = {
    send: ({ name }, { isLeaving } = { isLeaving: false }) =>
      done.push(isLeaving ? `${name}, leaving` : name),
    setUser: (userId) => done.push(`user ${userId}`),
    stop: () => done.push('stop'),
    resume: () => done.push('resume'),
  };
  let loads = 0;
  const queue = createEventQueue({
    isAllowed: () => choice.isAllowed,
    loadClient: async () => {
      loads++;
      await settle();
      if (isBlocked) throw new Error('blocked');
      return client;
    },
    sendBeacon: (events) => done.push(`beacon: ${events.map(({ name }) => name).join(', ')}`),
    log: (message) => warnings.push(message),
  });
  return { queue, done, choice, warnings, loads: () => loads };
}

describe('events', () => {
  it('wait for the client, which loads once, and are sent in order', async () => {
    const { queue, done, loads } = createBench();
    queue.setUser('u1');
    queue.send(makeEvent('Session Start'));
    queue.send(makeEvent('play-track'));
    expect(done).toEqual([]);
    await settle();
    await settle();
    queue.send(makeEvent('Search'));
    expect(done).toEqual(['user u1', 'Session Start', 'play-track', 'Search']);
    expect(loads()).toBe(1);
  });

  it('are dropped if the client fails to load, without breaking the page', async () => {
    const { queue, done, warnings } = createBench({ isBlocked: true });
    queue.send(makeEvent('Session Start'));
    await settle();
    await settle();
    queue.send(makeEvent('Search'));
    expect([done, warnings]).toEqual([[], ['The analytics client couldn’t load.']]);
  });

  it("don't load the client when the page is being left", () => {
    const { queue, loads } = createBench();
    queue.send(makeEvent('Session End'), { isLeaving: true });
    expect(loads()).toBe(0);
  });

  it('that are waiting are sent without the client if the user leaves before it has loaded', () => {
    const { queue, done } = createBench();
    queue.send(makeEvent('Session Start'));
    queue.send(makeEvent('Session End'), { isLeaving: true });
    expect(done).toEqual(['beacon: Session Start, Session End']);
  });

  it('are sent immediately when the page is being left and the client has loaded', async () => {
    const { queue, done } = createBench();
    queue.send(makeEvent('Session Start'));
    await settle();
    await settle();
    queue.send(makeEvent('Session End'), { isLeaving: true });
    expect(done).toEqual(['Session Start', 'Session End, leaving']);
  });
});

describe("while the user's choice is loading", () => {
  async function holdAfterStart() {
    const bench = createBench();
    bench.queue.setUser(null);
    bench.queue.send(makeEvent('Session Start'));
    await settle();
    await settle();
    let answer = () => {};
    bench.queue.pauseUntil(new Promise((resolve) => (answer = resolve)));
    bench.queue.setUser('u1');
    bench.queue.send(makeEvent('User Login'));
    return { ...bench, answer };
  }

  it('events wait, and are sent if the user has not opted out', async () => {
    const { done, answer } = await holdAfterStart();
    expect(done).toEqual(['user null', 'Session Start']);
    answer();
    await settle();
    expect(done).toEqual(['user null', 'Session Start', 'user u1', 'User Login']);
  });

  it('no user is set, and nothing is sent if the user has opted out', async () => {
    const { done, choice, answer } = await holdAfterStart();
    choice.isAllowed = false;
    answer();
    await settle();
    expect(done).toEqual(['user null', 'Session Start', 'stop']);
  });
});

describe('opting out', () => {
  it('from the start means the client never loads', async () => {
    const { queue, done, loads } = createBench({ isAllowed: false });
    queue.setUser('u1');
    queue.send(makeEvent('Session Start'));
    await settle();
    expect([done, loads()]).toEqual([[], 0]);
  });

  it('while the client loads drops queued events', async () => {
    const { queue, done, choice } = createBench();
    queue.send(makeEvent('Session Start'));
    choice.isAllowed = false;
    await settle();
    await settle();
    expect(done).toEqual(['stop']);
  });

  it('later stops the client once, and opting in again continues as the same user', async () => {
    const { queue, done, choice } = createBench();
    queue.setUser('u1');
    queue.send(makeEvent('Session Start'));
    await settle();
    await settle();
    choice.isAllowed = false;
    queue.applyChoice();
    queue.send(makeEvent('Search'));
    queue.setUser('u2');
    choice.isAllowed = true;
    queue.send(makeEvent('play-track'));
    expect(done).toEqual(['user u1', 'Session Start', 'stop', 'resume', 'user u2', 'play-track']);
  });
});
