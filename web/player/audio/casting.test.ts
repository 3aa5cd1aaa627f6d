import { describe, expect, it } from 'vitest';
import { createCasting } from './casting.ts';
import { createDeck } from './deck.ts';
import { createElementOutput } from './element-output.ts';
import { createSimulatedClock } from '#web/player/testing/simulated-clock.ts';

const error = (name: string) => Object.assign(new Error(name), { name });

/** The browser's way to other devices, with answers by hand. */
class FakeRemote extends EventTarget {
  state: 'disconnected' | 'connecting' | 'connected' = 'disconnected';
  prompts = 0;
  refusal: Error | null = null;
  canWatch = true;
  #callback: (isAvailable: boolean) => void = () => {};
  async watchAvailability(callback: (isAvailable: boolean) => void) {
    if (!this.canWatch) throw error('NotSupportedError');
    this.#callback = callback;
    return 1;
  }
  find(isAvailable: boolean) {
    this.#callback(isAvailable);
  }
  async prompt() {
    this.prompts += 1;
    if (this.refusal) throw this.refusal;
    this.set('connecting');
    this.set('connected');
  }
  set(state: FakeRemote['state']) {
    this.state = state;
    const types = { connecting: 'connecting', connected: 'connect', disconnected: 'disconnect' };
    this.dispatchEvent(new Event(types[state]));
  }
}

class FakeElement extends EventTarget {
  src = '';
  preload = '';
  currentTime = 0;
  duration = 3600;
  volume = 1;
  muted = false;
  paused = true;
  ended = false;
  error = null;
  remote = new FakeRemote();
  async play() {
    this.paused = false;
  }
  pause() {
    this.paused = true;
  }
  load() {}
  removeAttribute() {
    this.src = '';
  }
}

const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

function createBench(findAddress = async (url: string) => url.replace('/tracks/', '/casts/')) {
  const elements = [new FakeElement(), new FakeElement()] as const;
  const toOutput = (element: FakeElement) =>
    createElementOutput(element as unknown as HTMLAudioElement);
  const deck = createDeck({
    output: toOutput(elements[0]),
    spare: toOutput(elements[1]),
    clock: createSimulatedClock(),
    onEvent: () => {},
  });
  const problems: string[] = [];
  const casting = createCasting(
    { casting: deck },
    (sentence) => void problems.push(sentence),
    findAddress,
  );
  return { elements, deck, casting, problems };
}

const URL_A = '/media/tracks/a/stream';
const URL_B = '/media/tracks/b/stream';

describe('casting', () => {
  it('is offered while another device is in reach', () => {
    const { elements, casting } = createBench();
    expect(casting.store.get().isAvailable).toBe(false);
    elements[0].remote.find(true);
    expect(casting.store.get().isAvailable).toBe(true);
    elements[0].remote.find(false);
    expect(casting.store.get().isAvailable).toBe(false);
  });

  it('is offered by a browser that can’t watch for devices, but can ask', async () => {
    const elements = [new FakeElement()] as const;
    elements[0].remote.canWatch = false;
    const output = createElementOutput(elements[0] as unknown as HTMLAudioElement);
    const deck = createDeck({ output, spare: null, clock: createSimulatedClock(), onEvent() {} });
    const casting = createCasting({ casting: deck }, () => {});
    await settle();
    expect(casting.store.get().isAvailable).toBe(true);
  });

  it('gives the other device an address of its own, and continues where it was', async () => {
    const { elements, deck, casting } = createBench();
    deck.load(URL_A);
    deck.play();
    elements[0].currentTime = 754;
    await casting.prompt();
    expect(elements[0]).toMatchObject({
      src: '/media/casts/a/stream',
      currentTime: 754,
      paused: false,
    });
    expect(elements[0].remote.prompts).toBe(1);
    expect(casting.store.get().isCasting).toBe(true);
  });

  it('stays paused if it was', async () => {
    const { elements, deck, casting } = createBench();
    deck.load(URL_A);
    await casting.prompt();
    expect(elements[0].paused).toBe(true);
  });

  it('loads what follows in the same output: no crossfade, and nothing is prepared', async () => {
    const { elements, deck, casting } = createBench();
    deck.load(URL_A);
    deck.play();
    deck.prepare(URL_B);
    expect(deck.canCrossfade()).toBe(true);
    await casting.prompt();
    expect([deck.canCrossfade(), elements[1].src]).toEqual([false, '']);
    deck.prepare(URL_B);
    expect(elements[1].src).toBe('');
    deck.load(URL_B);
    deck.play();
    await settle();
    expect(elements[0]).toMatchObject({ src: '/media/casts/b/stream', paused: false });
  });

  it('doesn’t play what was paused while its address was looked up', async () => {
    const { elements, deck, casting } = createBench();
    deck.load(URL_A);
    deck.play();
    await casting.prompt();
    deck.load(URL_B);
    deck.play();
    deck.pause();
    await settle();
    expect(elements[0]).toMatchObject({ src: '/media/casts/b/stream', paused: true });
  });

  it('ends with the connection, and the next file comes from its own address', async () => {
    const { elements, deck, casting } = createBench();
    deck.load(URL_A);
    await casting.prompt();
    elements[0].remote.set('disconnected');
    expect(casting.store.get().isCasting).toBe(false);
    expect(deck.canCrossfade()).toBe(true);
    deck.load(URL_B);
    expect(elements[0].src).toBe(URL_B);
  });

  it('works when it began in the browser’s own menu', async () => {
    const { elements, deck, casting } = createBench();
    deck.load(URL_A);
    deck.play();
    elements[0].remote.set('connecting');
    await settle();
    elements[0].remote.set('connected');
    await settle();
    expect(elements[0].src).toBe('/media/casts/a/stream');
    expect(casting.store.get().isCasting).toBe(true);
  });

  it.each([
    ['NotFoundError', 'No speaker or TV was found in your network.'],
    ['NotSupportedError', 'Your speaker or TV can’t play this mix.'],
    ['OperationError', 'Couldn’t play on the other device. Please try again.'],
  ])('says in a sentence why it didn’t work: %s', async (name, sentence) => {
    const { elements, deck, casting, problems } = createBench();
    deck.load(URL_A);
    deck.play();
    elements[0].remote.refusal = error(name);
    await casting.prompt();
    expect(problems).toEqual([sentence]);
    expect([deck.canCrossfade(), elements[0].paused]).toEqual([true, false]);
  });

  it('says nothing if the user changed their mind', async () => {
    const { elements, deck, casting, problems } = createBench();
    deck.load(URL_A);
    elements[0].remote.refusal = error('NotAllowedError');
    await casting.prompt();
    expect(problems).toEqual([]);
  });

  it('uses AirPlay where the browser has it', async () => {
    const element = new FakeElement();
    let pickers = 0;
    const airPlay = Object.assign(element, {
      webkitShowPlaybackTargetPicker: () => void (pickers += 1),
      webkitCurrentPlaybackTargetIsWireless: false,
    });
    const output = createElementOutput(airPlay as unknown as HTMLAudioElement);
    const deck = createDeck({ output, spare: null, clock: createSimulatedClock(), onEvent() {} });
    const casting = createCasting(
      { casting: deck },
      () => {},
      async (url) => url.replace('/tracks/', '/casts/'),
    );
    const found = new Event('webkitplaybacktargetavailabilitychanged');
    element.dispatchEvent(Object.assign(found, { availability: 'available' }));
    expect(casting.store.get().isAvailable).toBe(true);
    deck.load(URL_A);
    await casting.prompt();
    expect([pickers, element.src, element.remote.prompts]).toEqual([1, '/media/casts/a/stream', 0]);
    airPlay.webkitCurrentPlaybackTargetIsWireless = true;
    element.dispatchEvent(new Event('webkitcurrentplaybacktargetiswirelesschanged'));
    await settle();
    expect(casting.store.get().isCasting).toBe(true);
  });
});
