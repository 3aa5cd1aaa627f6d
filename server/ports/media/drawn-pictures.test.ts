import { expect, it } from 'vitest';
import { QueueFull } from '../../background/limited-queue.ts';
import { drawInTurn, keepPictures, roundUpSide } from './drawn-pictures.ts';

/** Pictures that finish when the test says so. */
function createSlowPictures(size = 10, maxBytes = 4 * 1024 * 1024) {
  const finish: (() => void)[] = [];
  const pictures = keepPictures(maxBytes);
  const draw = (key: string, subjects: string[] = []) =>
    pictures.get(
      key,
      () => {
        const { promise, resolve } = Promise.withResolvers<Buffer>();
        finish.push(() => resolve(Buffer.alloc(size)));
        return promise;
      },
      subjects,
    );
  return { ...pictures, draw, finish };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('a picture is drawn once for all who ask for it, and then kept', async () => {
  const { find, isKnown, draw, finish } = createSlowPictures();
  const both = [draw('a'), draw('a')];
  await settle();
  expect([finish.length, isKnown('a'), isKnown('b')]).toEqual([1, true, false]);
  finish.shift()?.();
  await Promise.all(both);
  expect(find('a')).toBeDefined();
  expect(find('b')).toBeUndefined();
});

it('two pictures are drawn at a time, whatever kind they are, and only some wait', async () => {
  const [covers, cards] = [createSlowPictures(), createSlowPictures()];
  const drawn = Array.from({ length: 31 }, (_, index) => [
    covers.draw(`cover ${index}`),
    cards.draw(`card ${index}`),
  ]).flat();
  await settle();
  expect(covers.finish.length + cards.finish.length).toBe(2);
  await expect(covers.draw('one too many')).rejects.toThrow(QueueFull);
  const stop = setInterval(() => {
    for (const finish of [...covers.finish.splice(0), ...cards.finish.splice(0)]) finish();
  });
  await Promise.all(drawn);
  expect(await covers.draw('one too many')).toBeDefined();
  clearInterval(stop);
});

it('one person has only some of the places in which pictures wait', async () => {
  const { draw, finish } = createSlowPictures();
  const drawn = Array.from({ length: 24 }, (_, index) => draw(`${index}`, ['ada']));
  await expect(draw('24', ['ada'])).rejects.toThrow('Too many pictures are being drawn');
  drawn.push(draw('25', ['ben']));
  const stop = setInterval(() => finish.splice(0).forEach((done) => done()));
  await Promise.all(drawn);
  clearInterval(stop);
});

it('the pictures in memory have a limit', async () => {
  const { find, draw, finish } = createSlowPictures(1024, 4096);
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    const picture = draw(key);
    await settle();
    finish.shift()?.();
    await picture;
    find('a');
  }
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => find(key))).toEqual(['a', 'c', 'd', 'e']);
});

it('a picture that can’t be drawn is tried again', async () => {
  const { get } = keepPictures(4096);
  const broken = () => Promise.reject(new Error('No memory.'));
  await expect(get('a', broken, [])).rejects.toThrow('No memory.');
  await expect(get('a', async () => Buffer.alloc(1), [])).resolves.toBeDefined();
  await expect(drawInTurn(async () => 'goes on')).resolves.toBe('goes on');
});

it('any size becomes one of four', () => {
  const sides = new Set(Array.from({ length: 2000 }, (_, index) => roundUpSide(index + 1)));
  expect([...sides]).toEqual([128, 256, 512, 1000]);
  expect([roundUpSide(128), roundUpSide(129)]).toEqual([128, 256]);
});
