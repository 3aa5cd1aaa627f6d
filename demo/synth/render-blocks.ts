import { LOOKAHEAD_FRAMES } from './dsp/limiter.ts';
import { SAMPLE_RATE, toFrames } from './dsp/sample.ts';
import type { Recipe } from './genres/recipe.ts';
import { RECIPES } from './genres/styles.ts';
import { BLOCK_FRAMES, Mixer } from './mix/mixer.ts';
import { sweepAt } from './mix/sweep.ts';
import type { SoundEvent } from './mix/voices.ts';
import { arrange, barsIn, type SynthTrack } from './music/arrangement.ts';
import { STEPS_PER_BAR } from './music/pattern.ts';
import { barSeconds } from './music/song-form.ts';
import { frameOfStep } from './score/bar.ts';
import { createScore } from './score/score.ts';

/** A stretch of music. The next block reuses the arrays. */
export type StereoBlock = { left: Float32Array; right: Float32Array };

const FADE_OUT_SECONDS = 1.2;

function fadeOut({ left, right }: StereoBlock, framesLeft: number): void {
  const length = toFrames(FADE_OUT_SECONDS);
  for (let i = Math.max(0, framesLeft - length); i < left.length; i++) {
    const gain = (Math.max(0, framesLeft - 1 - i) / length) ** 2;
    left[i] = (left[i] as number) * gain;
    right[i] = (right[i] as number) * gain;
  }
}

/** Renders a track in small blocks, however long it is. */
export function* renderBlocks(track: SynthTrack): Generator<StereoBlock, void, void> {
  const recipe: Recipe = RECIPES[track.genre];
  const sections = arrange(track);
  const score = createScore(track, recipe);
  const mixer = new Mixer({
    buses: recipe.buses ?? {},
    reverbSeconds: recipe.reverbSeconds,
    delaySeconds: (barSeconds(track.bpm) * 3) / STEPS_PER_BAR,
    duckRelease: recipe.duckRelease,
    drive: 10 ** (recipe.drive / 20),
  });
  const total = toFrames(track.duration);
  const barFrames = barSeconds(track.bpm) * SAMPLE_RATE;
  const lastBar = barsIn(track);
  const pending: SoundEvent[] = [];
  let nextBar = 0;
  // The limiter delays by its look-ahead, so its first frames come before the start.
  let done = -LOOKAHEAD_FRAMES;
  for (let start = 0; done < total; start += BLOCK_FRAMES) {
    const end = start + BLOCK_FRAMES;
    while (nextBar < lastBar && frameOfStep(track.bpm, nextBar * STEPS_PER_BAR) < end) {
      pending.push(...score(nextBar++));
    }
    let waiting = 0;
    for (const event of pending) {
      if (event.frame < end) mixer.start(event);
      else pending[waiting++] = event;
    }
    pending.length = waiting;
    const bar = start / barFrames;
    const section = sections.findLast(({ startBar }) => startBar <= bar) ?? sections[0];
    if (!section) return;
    mixer.process(start, sweepAt(section, bar));
    const from = Math.max(0, -done);
    const to = Math.min(BLOCK_FRAMES, total - done);
    const block = { left: mixer.left.subarray(from, to), right: mixer.right.subarray(from, to) };
    done += from;
    fadeOut(block, total - done);
    done += to - from;
    yield block;
  }
}
