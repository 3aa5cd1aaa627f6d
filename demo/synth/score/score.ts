import type { Recipe } from '../genres/recipe.ts';
import type { SoundEvent } from '../mix/voices.ts';
import { arrange, type SynthTrack } from '../music/arrangement.ts';
import { openBar, SampleBank } from './bar.ts';
import { playDrums } from './drums.ts';
import { playBass, playChords } from './harmony.ts';
import { playLeads } from './melody.ts';
import { playTextures, playTransitions } from './transitions.ts';

/** Lists the sounds that start in a bar, in order. Each sound is rendered when it is first needed. */
export function createScore(track: SynthTrack, recipe: Recipe): (bar: number) => SoundEvent[] {
  const sections = arrange(track);
  const bank = new SampleBank();
  return (index) => {
    const section = sections.findLast(({ startBar }) => startBar <= index);
    if (!section || index >= section.startBar + section.bars) return [];
    const bar = openBar(track, recipe, bank, section, index);
    return [playDrums, playBass, playChords, playLeads, playTextures, playTransitions]
      .flatMap((play) => play(bar))
      .toSorted((a, b) => a.frame - b.frame);
  };
}
