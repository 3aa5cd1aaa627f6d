import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { buildScriptCommand, startInBackground } from '../../background/background-process.ts';
import { fetchToDisk, type Storage } from '../../ports/storage/storage.ts';
import { lookKeyOf } from '../look/service.ts';
import { listCoverKeys, type Card, type ClipCard } from './card-pictures.ts';

const SCRIPT = new URL('draw-process.ts', import.meta.url);
const TIMEOUT_MS = 30_000;

/** Files on this machine; covers by their key in the store. */
export type Pictures = { covers: Record<string, string>; logo: string | null };

async function runProcess(
  card: Card | ClipCard,
  pictures: Pictures,
  signal?: AbortSignal,
): Promise<Buffer> {
  const input = JSON.stringify({ card, ...pictures });
  const { command, args, env } = buildScriptCommand(SCRIPT, input);
  const { stdout, stderr, ended, stop } = startInBackground(command, args, env);
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const [picture, problem, { code }] = await Promise.all([buffer(stdout), text(stderr), ended]);
    if (code !== 0 || picture.length === 0)
      throw new Error(`Drawing a card failed: ${problem.slice(-500)}`);
    return picture;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Draws a card in a process that ends: the memory that drawing takes goes back to the system. The
 * pictures of a clip are in its folder afterwards.
 */
export async function drawInProcess(
  card: Card | ClipCard,
  storage: Storage,
  signal?: AbortSignal,
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'card-'));
  const fetchIfThere = async (key: string, name: string) =>
    (await storage.stat(key)) ? fetchToDisk(storage, key, join(folder, name)) : null;
  try {
    const covers: Pictures['covers'] = {};
    for (const [index, key] of [...new Set(listCoverKeys(card))].entries()) {
      const file = await fetchIfThere(key, `cover-${index}`);
      if (file !== null) covers[key] = file;
    }
    const { logo } = card.look;
    const logoFile = logo && (await fetchIfThere(lookKeyOf(logo.name), 'logo'));
    return await runProcess(card, { covers, logo: logoFile }, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
