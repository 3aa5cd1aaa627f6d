import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findProgram } from '../testing/find-program.ts';
import type { Driver, Handle, StartDriver, Tab } from './driver.ts';

type Result = Record<string, unknown>;
type Message = Result & {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  params?: unknown;
  result?: Result;
  message?: string;
};

/** A line to the browser: WebDriver BiDi, which needs no program in between. */
async function connect(url: string, onEvent: (method: string, params: unknown) => void) {
  const socket = new WebSocket(`${url}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.type === 'event') return onEvent(message.method ?? '', message.params);
    const asked = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (message.type === 'error') asked?.reject(new Error(`Firefox: ${message.message}`));
    else asked?.resolve(message.result ?? {});
  });
  let last = 0;
  return (method: string, params: object = {}): Promise<Result> => {
    const asked = Promise.withResolvers<Result>();
    waiting.set((last += 1), asked);
    socket.send(JSON.stringify({ id: last, method, params }));
    return asked.promise;
  };
}

type Send = Awaited<ReturnType<typeof connect>>;

async function findAddress(browser: ChildProcess): Promise<string> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  browser.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
    if (address) resolve(address);
  });
  browser.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
  return promise;
}

type Remote = { type: string; value?: string; sharedId?: string };

async function callFunction(send: Send, context: string, source: string): Promise<Remote> {
  const { type, result, exceptionDetails } = (await send('script.callFunction', {
    functionDeclaration: source,
    target: { context },
    awaitPromise: true,
  })) as { type: string; result: Remote; exceptionDetails?: { text: string } };
  if (type === 'exception') throw new Error(exceptionDetails?.text);
  return result;
}

function createHandle(send: Send, context: string, { sharedId }: Remote): Handle {
  const element = { sharedId };
  return {
    click: async () => {
      await send('input.performActions', {
        context,
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            actions: [
              { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      });
    },
    // Into what has the focus.
    type: async (text) => {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('input.performActions', {
        context,
        actions: [{ type: 'key', id: 'keys', actions }],
      });
    },
    setFiles: async (files) => void (await send('input.setFiles', { context, element, files })),
  };
}

type LogEntry = { level: string; text: string | null; source: { context?: string } };

async function openTab(
  send: Send,
  logs: LogEntry[],
  viewport: { width: number; height: number },
): Promise<Tab> {
  const { userContext } = await send('browser.createUserContext');
  const { context } = (await send('browsingContext.create', { type: 'tab', userContext })) as {
    context: string;
  };
  await send('browsingContext.setViewport', { context, viewport });
  return {
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    run: async (source, args) => {
      const json = `async () => JSON.stringify([await (${source})(...${JSON.stringify(args)})])`;
      const { value } = await callFunction(send, context, json);
      return (JSON.parse(value ?? '[]') as unknown[])[0];
    },
    find: async (source, args) => {
      const found = await callFunction(
        send,
        context,
        `() => (${source})(...${JSON.stringify(args)})`,
      );
      return found.type === 'node' ? createHandle(send, context, found) : null;
    },
    screenshot: async () => {
      const { data } = await send('browsingContext.captureScreenshot', { context });
      return Buffer.from(String(data), 'base64');
    },
    problems: () =>
      logs
        .filter(({ level, source }) => level === 'error' && source.context === context)
        .map(({ text }) => text ?? ''),
    close: async () => void (await send('browser.removeUserContext', { userContext })),
  };
}

/** Firefox as the machine has it, in a profile of its own. */
export const startFirefox: StartDriver = async (folder, env) => {
  const program = findProgram('firefox-esr') ?? findProgram('firefox');
  if (!program) return null;
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0'];
  const browser = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const logs: LogEntry[] = [];
  const send = await connect(await findAddress(browser), (method, params) => {
    if (method === 'log.entryAdded') logs.push(params as LogEntry);
  });
  const { capabilities } = await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  return {
    version: (capabilities as { browserVersion: string }).browserVersion,
    openTab: (size) => openTab(send, logs, size),
    close: async () => {
      const exited = once(browser, 'exit');
      // It may end before it answers.
      void send('browser.close').catch(() => undefined);
      await exited;
    },
  } satisfies Driver;
};
