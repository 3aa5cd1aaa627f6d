import { describe, expect, it } from 'vitest';
import { buildTrack } from '#web/testing/build-track.ts';
import { createTrackRefresher } from './track-refresher.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function createTestRefresher() {
  const requested: string[] = [];
  const delivered: string[] = [];
  const logged: string[] = [];
  const responses: ((title: string | null) => void)[] = [];
  const request = createTrackRefresher({
    fetchTrack: (id) => {
      requested.push(id);
      return new Promise((resolve, reject) => {
        responses.push((title) =>
          title === null ? reject(new Error('gone')) : resolve(buildTrack(id, { title })),
        );
      });
    },
    deliver: (track) => delivered.push(track.title),
    log: (message) => logged.push(message),
  });
  const respond = async (title: string | null) => {
    responses.shift()?.(title);
    await settle();
  };
  return { request, respond, requested, delivered, logged };
}

describe('refreshing tracks', () => {
  it('fetches one at a time, in order', async () => {
    const { request, respond, requested, delivered } = createTestRefresher();
    request([buildTrack('a'), buildTrack('b')]);
    expect(requested).toEqual(['a']);
    await respond('A');
    expect(requested).toEqual(['a', 'b']);
    await respond('B');
    expect(delivered).toEqual(['A', 'B']);
  });

  it('drops a response that a newer request has overtaken', async () => {
    const { request, respond, requested, delivered } = createTestRefresher();
    request([buildTrack('a')]);
    request([buildTrack('a')]);
    await respond('before the change');
    expect(requested).toEqual(['a', 'a']);
    await respond('after the change');
    expect(delivered).toEqual(['after the change']);
  });

  it('logs a track that is gone and continues', async () => {
    const { request, respond, delivered, logged } = createTestRefresher();
    request([buildTrack('a', { title: 'Gone' }), buildTrack('b')]);
    await respond(null);
    await respond('B');
    expect(logged).toEqual(['Could not refresh Gone']);
    expect(delivered).toEqual(['B']);
  });

  it('starts again after everything was fetched', async () => {
    const { request, respond, delivered } = createTestRefresher();
    request([buildTrack('a')]);
    await respond('A');
    request([buildTrack('a')]);
    await respond('A again');
    expect(delivered).toEqual(['A', 'A again']);
  });
});
