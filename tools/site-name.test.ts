import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const PARTS = ['contract', 'server', 'web', 'demo'];
const TEXT = /(?<!\.test)\.(tsx?|css|html|json|svg)$/;

const listTexts = (part: string): string[] =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .map((file) => `${part}/${file.replaceAll('\\', '/')}`)
    .filter((file) => TEXT.test(file));

test('only the site name setting contains the name of the site', () => {
  const naming = PARTS.flatMap(listTexts).filter((file) =>
    /\bWeekender\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(naming).toEqual(['server/env-settings.ts']);
});
