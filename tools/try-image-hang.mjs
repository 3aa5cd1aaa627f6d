/**
 * Runs inside a container of the image, like try-image-visit.mjs: makes the event loop of the site stand
 * still for good, as an endless loop in our own code would. Node's inspector can do that from outside,
 * through the main thread, which passes on what the thread of the site is told.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const INSPECTOR = 'http://127.0.0.1:9229/json/list';

/** The process of the site: the first one is Docker's, which passes signals on. */
function findSite() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (/(^|\/)node$/.test(program) && args.includes('tools/start.ts')) return Number(pid);
  }
  throw new Error('The site does not run.');
}

async function findInspector() {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await fetch(INSPECTOR).catch(() => undefined);
    if (answer) return (await answer.json())[0].webSocketDebuggerUrl;
    await setTimeout(200);
  }
  throw new Error('The inspector does not answer.');
}

process.kill(findSite(), 'SIGUSR1');
const socket = new WebSocket(await findInspector());
await new Promise((resolve, reject) => {
  socket.addEventListener('open', resolve);
  socket.addEventListener('error', reject);
});
const send = (id, method, params) => socket.send(JSON.stringify({ id, method, params }));
const thread = new Promise((resolve) => {
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === 'NodeWorker.attachedToWorker') resolve(params.sessionId);
  });
});
send(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
const loop = { id: 1, method: 'Runtime.evaluate', params: { expression: 'for (;;);' } };
send(2, 'NodeWorker.sendMessageToWorker', {
  sessionId: await thread,
  message: JSON.stringify(loop),
});
// Time for the loop to begin: nobody can say that it has.
await setTimeout(1000);
process.exit(0);
