import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SAMPLE_RATE } from './dsp/sample.ts';
import type { Presence, Recipe } from './genres/recipe.ts';
import { RECIPES, STYLES, type Style } from './genres/styles.ts';
import { addToBlock } from './mix/voices.ts';
import type { SynthTrack } from './music/arrangement.ts';
import { renderBlocks } from './render-blocks.ts';
import { createScore } from './score/score.ts';

/** Two bars per second and one bar per chapter: a complete track in a few seconds. */
const miniature = (genre: Style, seed = 1): SynthTrack => ({
  seed,
  genre,
  bpm: 480,
  key: 'F minor',
  duration: 3.5,
  chapters: [0, 0.5, 1, 1.5, 2].map((at) => ({ at })),
});

/** Interleaved, as in a file. */
function render(track: SynthTrack): Float32Array {
  const blocks = Array.from(renderBlocks(track), ({ left, right }) => {
    const block = new Float32Array(left.length * 2);
    left.forEach((x, i) => {
      block[i * 2] = x;
      block[i * 2 + 1] = right[i] ?? 0;
    });
    return block;
  });
  const data = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    data.set(block, at);
    at += block.length;
  }
  return data;
}

const hash = (data: Float32Array) => createHash('sha256').update(data).digest('hex');

const loudness = (data: Float32Array, from: number, to: number) => {
  const part = data.subarray(from * SAMPLE_RATE * 2, to * SAMPLE_RATE * 2);
  return Math.sqrt(part.reduce((sum, x) => sum + x * x, 0) / part.length);
};

describe('renderBlocks', () => {
  it.each(STYLES)(
    'renders %s completely, without clipping, loudest in the drop and silent at the end',
    (genre) => {
      const data = render(miniature(genre));
      expect(data).toHaveLength(3.5 * SAMPLE_RATE * 2);
      expect(data.every(Number.isFinite)).toBe(true);
      expect(data.reduce((peak, x) => Math.max(peak, Math.abs(x)), 0)).toBeLessThan(0.9);
      const drop = loudness(data, 0.5, 1);
      expect(drop).toBeGreaterThan(0.02);
      expect(drop).toBeGreaterThan(loudness(data, 0, 0.5) * 1.1);
      expect(loudness(data, 1.5, 2)).toBeGreaterThan(loudness(data, 2.5, 3.5));
      expect([...data.subarray(-2)].map(Math.abs)).toEqual([0, 0]);
    },
  );

  it('renders the same music for the same seed and different music for another', () => {
    const first = hash(render(miniature('Drum & Bass', 7)));
    expect(hash(render(miniature('Drum & Bass', 7)))).toBe(first);
    expect(hash(render(miniature('Drum & Bass', 8)))).not.toBe(first);
  });

  it.each([3.2, 3.413, 4.000_01])('lasts %d seconds to the sample', (duration) => {
    const data = render({ ...miniature('Techno'), duration });
    expect(data.length / 2).toBe(Math.round(duration * SAMPLE_RATE));
  });
});

describe('createScore', () => {
  it('puts four-on-the-floor kicks exactly on the beat', () => {
    const track = { ...miniature('Techno'), bpm: 134, duration: 60 };
    const score = createScore(track, RECIPES.Techno);
    const beat = (60 / 134) * SAMPLE_RATE;
    const kicks = score(5)
      .filter(({ bus }) => bus === 'kick')
      .map(({ frame }) => frame);
    expect(kicks).toEqual([20, 21, 22, 23].map((n) => Math.round(n * beat)));
  });

  it('delays every second sixteenth in genres with swing', () => {
    const { swing } = RECIPES.Kwaito;
    const track = { ...miniature('Kwaito'), bpm: 60, duration: 60 };
    const step = SAMPLE_RATE / 4;
    for (const { frame, bus } of createScore(track, RECIPES.Kwaito)(3)) {
      if (bus !== 'bass' && bus !== 'chords') continue;
      const at = frame / step;
      const late = Math.floor(at) % 2 === 1 ? swing : 0;
      expect(Math.abs(at - Math.floor(at) - late)).toBeLessThan(0.001);
    }
  });

  it.each(STYLES)('finds every section and drum that the recipe of %s names', (style) => {
    const { drums, bass, chords, leads, textures = [], kit, roll }: Recipe = RECIPES[style];
    const parts: Presence[] = [...drums, ...bass, ...chords, ...leads, ...textures];
    for (const section of parts.flatMap((part) => part.in?.split(' ') ?? []))
      expect(['intro', 'groove', 'build', 'drop', 'break', 'outro']).toContain(section);
    for (const { sound } of drums) expect(kit).toHaveProperty(sound);
    if (roll) expect(kit).toHaveProperty(roll);
  });

  it('plays nothing after the last bar', () => {
    expect(createScore(miniature('Gqom'), RECIPES.Gqom)(9)).toEqual([]);
  });
});

describe('addToBlock', () => {
  it('plays a sound across blocks without a gap', () => {
    const data = Float32Array.from({ length: 300 }, (_, i) => i + 1);
    const event = {
      frame: 70,
      sample: { left: data, right: data },
      gain: 1,
      pan: 0,
      bus: 'lead',
    } as const;
    const output: number[] = [];
    let isPlaying = true;
    for (let start = 0; isPlaying; start += 64) {
      const left = new Float32Array(64);
      isPlaying = addToBlock(event, start, left, new Float32Array(64), 64);
      output.push(...left);
    }
    expect(output.slice(0, 70).every((x) => x === 0)).toBe(true);
    expect(output.slice(70, 370)).toEqual([...data]);
  });
});
