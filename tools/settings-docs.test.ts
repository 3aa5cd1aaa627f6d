import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  formatEnvExample,
  formatLimit,
  listRateLimits,
  listSettings,
  paths,
  updateApi,
  updateOperations,
} from './settings-docs.ts';

/** The formatter pads the columns of a table. */
const withoutPadding = (markdown: string): string =>
  markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

describe('the settings documentation', () => {
  it('describes every setting', () => {
    const undescribed = listSettings().filter(
      ({ description }) => !/^[*`A-Z].{10,}\.$/.test(description),
    );
    expect(undescribed).toEqual([]);
  });

  it('has an up-to-date .env.example; if not, run: node tools/settings-docs.ts', async () => {
    expect(await readFile(paths.envExample, 'utf8')).toBe(formatEnvExample());
  });

  it('has an up-to-date table in docs/operations.md; if not, run: node tools/settings-docs.ts', async () => {
    const text = await readFile(paths.operations, 'utf8');
    expect(withoutPadding(text)).toBe(withoutPadding(updateOperations(text)));
  });

  it('shows defaults as values and as words', () => {
    const port = listSettings().find(({ name }) => name === 'PORT');
    expect(port).toEqual({
      name: 'PORT',
      default: '`3000`',
      description: 'Port to listen on; `0` picks a free one.',
    });
    expect(formatEnvExample()).toContain('#PORT=3000\n');
    expect(formatEnvExample()).toContain('#DATABASE_URL=\n');
  });
});

describe('the documentation of rate limits', () => {
  it('has an up-to-date table in docs/api.md; if not, run: node tools/settings-docs.ts', async () => {
    const text = await readFile(paths.api, 'utf8');
    expect(withoutPadding(text)).toBe(withoutPadding(await updateApi(text)));
  });

  it('names every rule once', async () => {
    const names = (await listRateLimits()).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('says limits as people do', () => {
    expect(formatLimit({ limit: 60, periodMs: 3_600_000 })).toBe('60 an hour');
    expect(formatLimit({ limit: 10, periodMs: 900_000 })).toBe('10 in 15 minutes');
    expect(formatLimit({ limit: 60, periodMs: 30 * 86_400_000 })).toBe('60 in 30 days');
  });
});
