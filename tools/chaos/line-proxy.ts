import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Socket,
} from 'node:net';

export type LineProxy = {
  port: number;
  /** Bytes wait, in both directions, and nobody is told. */
  freeze: () => void;
  thaw: () => void;
  /** Lines that are open now stay silent for good, and nobody is told; new ones work. */
  abandon: () => void;
  /** Ends every line at once. */
  cut: () => void;
  close: () => void;
};

/** Stands between the site and its database, so that lines can freeze or break without either. */
export async function startLineProxy(target: NetConnectOpts): Promise<LineProxy> {
  const lines = new Set<[Socket, Socket]>();
  const abandoned = new Set<[Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((client) => {
    const database = connect(target);
    const line: [Socket, Socket] = [client, database];
    lines.add(line);
    const end = () => {
      lines.delete(line);
      for (const socket of line) socket.destroy();
    };
    for (const [from, to] of [line, line.toReversed()] as [Socket, Socket][]) {
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', end).on('close', end);
      if (isFrozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const all = () => [...lines].flat();
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      isFrozen = true;
      for (const socket of all()) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of all()) socket.resume();
    },
    abandon: () => {
      isFrozen = false;
      for (const line of lines) {
        for (const socket of line) socket.pause();
        abandoned.add(line);
      }
      lines.clear();
    },
    cut: () => {
      for (const socket of all()) socket.destroy();
    },
    close: () => {
      server.close();
      for (const socket of [...all(), ...[...abandoned].flat()]) socket.destroy();
    },
  };
}
