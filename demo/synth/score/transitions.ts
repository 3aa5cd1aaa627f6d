import { renderCrash } from '../instruments/cymbals.ts';
import { renderFall, renderRiser } from '../instruments/effects.ts';
import type { SoundEvent } from '../mix/voices.ts';
import { STEPS_PER_BAR } from '../music/pattern.ts';
import { barInSection, isPresent, type Bar } from './bar.ts';
import { hitDrum } from './drums.ts';

const effect = (bar: Bar, name: string, gain: number, render: () => SoundEvent['sample']) => ({
  frame: bar.frameAt(0),
  sample: bar.bank.get(name, render),
  gain,
  pan: 0,
  bus: 'effects' as const,
});

/** A drum roll that gets louder towards the drop. */
function rollIn(bar: Bar, sound: string): SoundEvent[] {
  const steps = [0, 4, 6, 8, 10, 11, 12, 13, 14, 15];
  return steps.map((step, n) => ({
    frame: bar.frameAt(step),
    sample: hitDrum(bar, sound, n),
    gain: 0.18 + 0.4 * (step / STEPS_PER_BAR) ** 2,
    pan: 0,
    bus: 'drums',
  }));
}

/** Sounds that mark the change from one section to the next. */
export function playTransitions(bar: Bar): SoundEvent[] {
  const { section, recipe } = bar;
  const at = barInSection(bar);
  const left = section.bars - at;
  const barSeconds = bar.stepSeconds * STEPS_PER_BAR;
  const events: SoundEvent[] = [];
  if (at === 0 && section.kind === 'drop') {
    events.push(effect(bar, 'crash', 0.75, () => renderCrash(5)));
  }
  if (at === 0 && section.kind === 'break') {
    events.push(effect(bar, 'fall', 0.6, () => renderFall(7, barSeconds * 2)));
  }
  const riseBars = Math.min(4, section.bars);
  if (section.next === 'drop' && left === riseBars) {
    const rise = () => renderRiser(11, barSeconds * riseBars);
    events.push(effect(bar, `riser ${riseBars}`, 0.6, rise));
  }
  if (recipe.roll && section.next === 'drop' && left === 1) {
    events.push(...rollIn(bar, recipe.roll));
  }
  return events;
}

export function playTextures(bar: Bar): SoundEvent[] {
  return (bar.recipe.textures ?? []).flatMap((part, n) => {
    if (!isPresent(bar, part) || barInSection(bar) % part.everyBars !== 0) return [];
    const take = Math.floor(bar.index / part.everyBars) % 3;
    const seconds = bar.stepSeconds * STEPS_PER_BAR * part.everyBars;
    const render = () => part.voice(seconds, n * 31 + take);
    return [effect(bar, `texture ${n}/${take}`, part.gain, render)];
  });
}
