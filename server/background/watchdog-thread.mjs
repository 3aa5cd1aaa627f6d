import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { beats, limitSeconds } = workerData;
const STANDARD_ERROR = 2;
let last = 0;
let silentSeconds = 0;

setInterval(() => {
  const now = Atomics.load(beats, 0);
  silentSeconds = now === last ? silentSeconds + 1 : 0;
  last = now;
  if (silentSeconds < limitSeconds) return;
  writeSync(STANDARD_ERROR, `The process stood still for ${limitSeconds} seconds and was ended.\n`);
  // Nothing that the process itself would do at its end can run any more.
  process.kill(process.pid, 'SIGKILL');
}, 1000);
