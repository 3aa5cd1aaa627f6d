const ATTEMPTS = 50;
const ATTEMPT_MS = 100;

type Event =
  | { method: 'NodeWorker.attachedToWorker'; params: { sessionId: string } }
  | { method: 'NodeWorker.receivedMessageFromWorker'; params: { message: string } };
type Reply = { id: number; result: { result?: { value?: number } } };

/**
 * What the server keeps, in MB: the heap of its thread after a garbage collection. The memory of the
 * process is no sign of that, because Node collects only when it must. A signal opens Node's debugger
 * on this port; what the thread is asked goes through the main thread.
 */
export async function readHeap(pid: number, debugPort: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await findDebugger(debugPort));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  try {
    const thread = await findThread(socket);
    await ask(socket, thread, 1, 'HeapProfiler.collectGarbage');
    const expression = 'process.memoryUsage().heapUsed';
    const { result } = await ask(socket, thread, 2, 'Runtime.evaluate', { expression });
    return (result?.value ?? 0) / 2 ** 20;
  } finally {
    socket.close();
  }
}

async function findDebugger(port: number): Promise<string> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json`);
      const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
    }
}

const send = (socket: WebSocket, id: number, method: string, params: object) =>
  socket.send(JSON.stringify({ id, method, params }));

/** The first event for which `read` returns something. */
const waitForEvent = <T>(socket: WebSocket, read: (event: Event) => T | undefined): Promise<T> =>
  new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const found = read(JSON.parse(String(data)) as Event);
      if (found !== undefined) resolve(found);
    });
  });

async function findThread(socket: WebSocket): Promise<string> {
  const attached = waitForEvent(socket, (event) =>
    event.method === 'NodeWorker.attachedToWorker' ? event.params.sessionId : undefined,
  );
  send(socket, 1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
  return attached;
}

async function ask(
  socket: WebSocket,
  sessionId: string,
  id: number,
  method: string,
  params = {},
): Promise<Reply['result']> {
  const answered = waitForEvent(socket, (event) => {
    if (event.method !== 'NodeWorker.receivedMessageFromWorker') return undefined;
    const reply = JSON.parse(event.params.message) as Reply;
    return reply.id === id ? reply.result : undefined;
  });
  const message = JSON.stringify({ id, method, params });
  send(socket, id, 'NodeWorker.sendMessageToWorker', { sessionId, message });
  return answered;
}
