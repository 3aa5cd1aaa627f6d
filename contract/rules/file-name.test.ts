import { describe, expect, it } from 'vitest';
import { guessFromFileName } from './file-name.ts';

const fallback = { year: 2026, week: 46 };

describe('a file name', () => {
  it.each([
    ['wk47-thunder-at-four-master.wav', { title: 'Thunder at Four', year: 2026, week: 47 }],
    ['Week 12 - Pool Lights.flac', { title: 'Pool Lights', year: 2026, week: 12 }],
    ['2025-W03_last day of term_v2.wav', { title: 'Last Day of Term', year: 2025, week: 3 }],
    ['Cicada Frequency FINAL.mp3', { title: 'Cicada Frequency', year: 2026, week: 46 }],
    ['w54-nothing.wav', { title: 'Nothing', year: 2026, week: 46 }],
    ['.wav', { title: 'Week 46', year: 2026, week: 46 }],
    ['week 9.wav', { title: 'Week 9', year: 2026, week: 9 }],
  ])('%s gives title and week', (name, guess) => {
    expect(guessFromFileName(name, fallback)).toEqual(guess);
  });
});
