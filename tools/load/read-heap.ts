const ATTEMPTS = 50;
const ATTEMPT_MS = 100;

type Reply = { id: number; result: { result?: { value?: number } } };

/**
 * What the server keeps, in MB: its heap after a garbage collection. The memory of the process is no
 * sign of that, because Node collects only when it must. A signal opens Node's debugger on this port.
 */
export async function readHeap(pid: number, debugPort: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await findDebugger(debugPort));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  try {
    await ask(socket, 1, 'HeapProfiler.collectGarbage');
    const expression = 'process.memoryUsage().heapUsed';
    const { result } = await ask(socket, 2, 'Runtime.evaluate', { expression });
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

function ask(socket: WebSocket, id: number, method: string, params = {}): Promise<Reply['result']> {
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.id === id) resolve(reply.result);
    });
    socket.send(JSON.stringify({ id, method, params }));
  });
}
