import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { buildScriptCommand, startInBackground } from '../../background/background-process.ts';
import { fetchToDisk, type Storage } from '../../ports/storage/storage.ts';
import type { Card } from './card-pictures.ts';

const SCRIPT = new URL('draw-process.ts', import.meta.url);
const TIMEOUT_MS = 30_000;

async function runProcess(card: Card, cover: string | null): Promise<Buffer> {
  const { command, args, env } = buildScriptCommand(SCRIPT, JSON.stringify({ card, cover }));
  const { stdout, stderr, ended, stop } = startInBackground(command, args, env);
  const timer = setTimeout(stop, TIMEOUT_MS);
  try {
    const [picture, problem, { code }] = await Promise.all([buffer(stdout), text(stderr), ended]);
    if (code !== 0 || picture.length === 0)
      throw new Error(`Drawing a card failed: ${problem.slice(-500)}`);
    return picture;
  } finally {
    clearTimeout(timer);
  }
}

/** Draws a card in a process that ends: the memory that drawing takes goes back to the system. */
export async function drawInProcess(card: Card, storage: Storage): Promise<Buffer> {
  const coverKey = 'coverKey' in card ? card.coverKey : null;
  if (!coverKey || !(await storage.stat(coverKey))) return runProcess(card, null);
  const folder = await mkdtemp(join(tmpdir(), 'card-'));
  try {
    return await runProcess(card, await fetchToDisk(storage, coverKey, join(folder, 'cover')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
