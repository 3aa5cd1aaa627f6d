import { describe, expect, it } from 'vitest';
import type { AudioEvent } from './audio-output.ts';
import { createElementOutput } from './element-output.ts';

/** The parts of an audio element that the output touches, with events sent by hand. */
class FakeElement extends EventTarget {
  src = '';
  preload = '';
  currentTime = 0;
  duration = NaN;
  volume = 1;
  muted = false;
  paused = true;
  ended = false;
  error: { code: number; message: string } | null = null;
  play() {
    this.paused = false;
    return Promise.resolve();
  }
  pause() {
    this.paused = true;
  }
  load() {}
  removeAttribute() {
    this.src = '';
  }
  send(type: string) {
    this.dispatchEvent(new Event(type));
  }
}

class FixedVolumeElement extends FakeElement {
  constructor() {
    super();
    Object.defineProperty(this, 'volume', { get: () => 1, set: () => {} });
  }
}

function createOutput(element = new FakeElement()) {
  const output = createElementOutput(element as unknown as HTMLAudioElement);
  const received: [AudioEvent, number][] = [];
  output.subscribe((event, generation) => void received.push([event, generation]));
  return { element, output, received, types: () => received.map(([{ type }]) => type) };
}

function load() {
  const bench = createOutput();
  bench.output.load('/a.mp3', 7);
  bench.element.send('loadstart');
  return bench;
}

describe('an audio element as an output', () => {
  it('loads a file, and tags its events with the load', () => {
    const { element, received } = load();
    element.duration = 200;
    element.send('loadedmetadata');
    element.currentTime = 4;
    element.send('timeupdate');
    expect(element.src).toBe('/a.mp3');
    expect(received).toEqual([
      [{ type: 'loadedmetadata', duration: 200 }, 7],
      [{ type: 'timeupdate', time: 4 }, 7],
    ]);
  });

  it('ignores events until the new file starts to load', () => {
    const { element, output, types } = load();
    output.load('/b.mp3', 8);
    element.send('error');
    element.send('ended');
    expect(types()).toEqual([]);
    element.send('loadstart');
    element.send('ended');
    expect(types()).toEqual(['ended']);
  });

  it('drops a start that was paused since, and a pause that was undone', () => {
    const { element, output, types } = load();
    element.send('playing');
    void output.play();
    element.send('pause');
    element.send('playing');
    output.pause();
    element.send('pause');
    expect(types()).toEqual(['playing', 'paused']);
  });

  it('reports ended, not paused, at the end', () => {
    const { element, types } = load();
    element.ended = true;
    element.send('pause');
    element.send('ended');
    expect(types()).toEqual(['ended']);
  });

  it('reports the reason of an error', () => {
    const { element, received } = load();
    element.error = { code: 4, message: '' };
    element.send('error');
    expect(received[0]?.[0]).toEqual({ type: 'error', reason: 'media error 4' });
    // As Firefox does it where there is no audio device: the element doesn't even pause.
    element.error = { code: 3, message: 'OnMediaSinkAudioError' };
    element.send('error');
    expect(received[1]?.[0]).toMatchObject({ type: 'error', hasNoDevice: true });
  });

  it('mutes at 0, even on phones that allow no other volume', () => {
    const { element, output } = load();
    output.setVolume(0);
    expect(element).toMatchObject({ volume: 0, muted: true });
    output.setVolume(0.3);
    expect(element).toMatchObject({ volume: 0.3, muted: false });
    expect(createOutput().output.canFade).toBe(true);
    expect(createOutput(new FixedVolumeElement()).output.canFade).toBe(false);
  });

  it('is silent and empty after unload and dispose', () => {
    const { element, output, types } = load();
    output.unload();
    element.send('loadstart');
    element.send('ended');
    output.dispose();
    expect(element).toMatchObject({ src: '', paused: true });
    expect(types()).toEqual([]);
  });
});
