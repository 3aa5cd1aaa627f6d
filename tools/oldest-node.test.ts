import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { NODE_FLAGS } from './run-node.ts';

const root = join(import.meta.dirname, '..');
it('every script that runs TypeScript checks Node first and prints no experimental warnings', () => {
  const scripts = Object.entries(packageJson.scripts).filter(([, script]) => /\.ts\b/.test(script));
  const start = `node ${NODE_FLAGS.join(' ')} --import ./tools/require-node.mjs `;
  expect(scripts.map(([name]) => name)).toContain('worker');
  expect(scripts.filter(([, script]) => !script.startsWith(start))).toEqual([]);
});

it('the contrast check prints what it checked', () => {
  const args = [...NODE_FLAGS, join(root, 'tools/testing/contrast-check.ts')];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(/^pass {2}dark/m);
});
