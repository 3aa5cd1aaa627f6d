import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLongTurns } from './long-turns.ts';

let now = 0;
let waiting = 0;
let soon: (() => void)[] = [];
let rendered: string[] = [];

beforeEach(() => {
  now = 0;
  waiting = 0;
  soon = [];
  rendered = [];
});

/** Starts to render these pages, which wait for their turns. */
function open(...pages: string[]) {
  const takeTurn = createLongTurns(() => waiting > 0, {
    now: () => now,
    soon: (callback) => void soon.push(callback),
  });
  for (const page of pages) void takeTurn().then(() => rendered.push(page));
}

async function runTurn() {
  await nextTurn();
  for (const callback of soon.splice(0)) callback();
  await nextTurn();
}

describe('pages', () => {
  it('are rendered in the order they came, one in each turn', async () => {
    open('first', 'second', 'third');
    await runTurn();
    expect(rendered).toEqual(['first']);
    await runTurn();
    expect(rendered).toEqual(['first', 'second']);
    await runTurn();
    expect(rendered).toEqual(['first', 'second', 'third']);
  });

  it('let short requests go first', async () => {
    waiting = 2;
    open('page');
    await runTurn();
    waiting = 1;
    await runTurn();
    expect(rendered).toEqual([]);
    waiting = 0;
    await runTurn();
    expect(rendered).toEqual(['page']);
  });

  it('don’t wait for ever, however many short requests there are', async () => {
    waiting = 1000;
    open('first', 'second');
    await runTurn();
    now = 99;
    await runTurn();
    expect(rendered).toEqual([]);
    now = 100;
    await runTurn();
    expect(rendered).toEqual(['first']);
    await runTurn();
    expect(rendered).toEqual(['first', 'second']);
  });
});
