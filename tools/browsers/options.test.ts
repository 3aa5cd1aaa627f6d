import { expect, it } from 'vitest';
import { readOptions } from './options.ts';

const known = { browsers: ['chromium', 'firefox', 'webkit'], journeys: ['Home', 'Queue'] };

it('tries everything unless told otherwise', () => {
  expect(readOptions([], known)).toEqual({ ...known, required: [], pictures: null });
});

it('also tries what is required', () => {
  const args = ['--only', 'chromium', '--need', 'firefox', '--journey', 'Queue'];
  expect(readOptions(args, known)).toMatchObject({
    browsers: ['chromium', 'firefox'],
    required: ['firefox'],
    journeys: ['Queue'],
  });
});

it.each([
  [['--only', 'safari'], 'No browser is called safari. There are chromium, firefox, webkit.'],
  [['--need', 'firefox,'], 'No browser is called . There are chromium, firefox, webkit.'],
  [['--journey', 'home'], 'No journey is called home. There are Home, Queue.'],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args, known)).toThrow(message);
});
