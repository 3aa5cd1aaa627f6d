import { describe, expect, it } from 'vitest';
import { buildTrack } from '#web/testing/build-track.ts';
import { createTrackRefresher } from './track-refresher.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function createBench() {
  const asked: string[] = [];
  const delivered: string[] = [];
  const logged: string[] = [];
  const answers: ((title: string | null) => void)[] = [];
  const request = createTrackRefresher({
    fetchTrack: (id) => {
      asked.push(id);
      return new Promise((resolve, reject) => {
        answers.push((title) =>
          title === null ? reject(new Error('gone')) : resolve(buildTrack(id, { title })),
        );
      });
    },
    deliver: (track) => delivered.push(track.title),
    log: (message) => logged.push(message),
  });
  const answer = async (title: string | null) => {
    answers.shift()?.(title);
    await settle();
  };
  return { request, answer, asked, delivered, logged };
}

describe('refreshing tracks', () => {
  it('fetches one at a time, in order', async () => {
    const { request, answer, asked, delivered } = createBench();
    request([buildTrack('a'), buildTrack('b')]);
    expect(asked).toEqual(['a']);
    await answer('A');
    expect(asked).toEqual(['a', 'b']);
    await answer('B');
    expect(delivered).toEqual(['A', 'B']);
  });

  it('drops a response that a newer request has overtaken', async () => {
    const { request, answer, asked, delivered } = createBench();
    request([buildTrack('a')]);
    request([buildTrack('a')]);
    await answer('before the change');
    expect(asked).toEqual(['a', 'a']);
    await answer('after the change');
    expect(delivered).toEqual(['after the change']);
  });

  it('logs a track that is gone and continues', async () => {
    const { request, answer, delivered, logged } = createBench();
    request([buildTrack('a', { title: 'Gone' }), buildTrack('b')]);
    await answer(null);
    await answer('B');
    expect(logged).toEqual(['Could not refresh Gone']);
    expect(delivered).toEqual(['B']);
  });

  it('starts again after everything was fetched', async () => {
    const { request, answer, delivered } = createBench();
    request([buildTrack('a')]);
    await answer('A');
    request([buildTrack('a')]);
    await answer('A again');
    expect(delivered).toEqual(['A', 'A again']);
  });
});
