import { describe, expect, it } from 'vitest';
import type { PlaybackFailure } from '#web/player/machine/events.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { createFailureReports, describeFailures } from './playback-failures.ts';

const fail = (
  id: string,
  outcome: PlaybackFailure['outcome'],
  isAfterFailure = false,
): PlaybackFailure => ({
  track: buildTrack(id, { title: `Mix ${id}` }),
  outcome,
  isAfterFailure,
});

describe('the message about a mix that can’t be played', () => {
  it.each([
    ['skipped', 'Skipping to the next mix.'],
    ['stopped', 'It was the last one, so playback has stopped.'],
    ['waiting', 'Your queue is safe. Press play to try again.'],
  ] as const)('names the mix and what happens next: %s', (outcome, description) => {
    const failures = [fail('a', outcome)];
    expect(describeFailures(failures, true)).toEqual({
      title: 'We couldn’t play Mix a.',
      description,
    });
  });

  it('says that there is nothing to hear it with, which no other mix would change', () => {
    expect(describeFailures([fail('a', 'no-device')], true)).toEqual({
      title: 'No speakers or headphones found',
      description: 'Connect some, or turn them on, and press play.',
    });
  });

  it('says that a mix was taken down', () => {
    expect(describeFailures([fail('a', 'skipped')], true, true)).toEqual({
      title: 'Mix a isn’t available any more.',
      description: 'Skipping to the next mix.',
    });
  });

  it('blames the connection only if it is lost', () => {
    const failures = [fail('a', 'waiting')];
    expect(describeFailures(failures, true).description).not.toContain('connection');
    expect(describeFailures(failures, false).description).toBe(
      'The connection seems to be lost. Your queue is safe. Press play to try again.',
    );
  });

  it.each([
    [['a', 'a'], 'We couldn’t play Mix a.'],
    [['a', 'b'], 'We couldn’t play Mix a or Mix b.'],
    [['a', 'b', 'c'], 'We couldn’t play Mix a or the 2 mixes after it.'],
  ])('counts each mix of %j once', (ids, title) => {
    const failures = ids.map((id) => fail(id, 'skipped'));
    expect(describeFailures(failures, true).title).toBe(title);
  });
});

describe('failures', () => {
  const createReports = () => {
    const shown: string[] = [];
    const checks: ((isConnected: boolean) => void)[] = [];
    const report = createFailureReports(
      () => new Promise((resolve) => checks.push(resolve)),
      (failures, isConnected) =>
        shown.push(`${failures.map(({ track }) => track.id).join()} ${isConnected}`),
    );
    return { report, shown, checks };
  };

  it('are reported together while the connection is checked', async () => {
    const { report, shown, checks } = createReports();
    const first = report(fail('a', 'skipped'));
    await report(fail('b', 'waiting', true));
    expect([checks.length, shown]).toEqual([1, []]);
    checks[0]?.(false);
    await first;
    expect(shown).toEqual(['a,b false']);
  });

  it('are all named if another mix is chosen and fails during the check', async () => {
    const { report, shown, checks } = createReports();
    const first = report(fail('a', 'waiting'));
    await report(fail('b', 'waiting'));
    checks[0]?.(true);
    await first;
    expect(shown).toEqual(['a,b true']);
  });

  it.each([
    ['again with the next one that fails', true, ['a true', 'a,b true']],
    ['alone if something else has played since', false, ['a true', 'b true']],
  ])('are reported %s', async (_, isAfterFailure, messages) => {
    const { report, shown, checks } = createReports();
    const first = report(fail('a', 'skipped'));
    checks[0]?.(true);
    await first;
    const second = report(fail('b', 'stopped', isAfterFailure));
    checks[1]?.(true);
    await second;
    expect(shown).toEqual(messages);
  });
});
