import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type FrozenProxy = {
  port: number;
  /** From now on its open connections carry nothing, and stay open. New ones work. */
  freezeOpen: () => void;
  /** New connections are accepted, and nobody answers. */
  freezeNew: (isFrozen: boolean) => void;
  close: () => Promise<void>;
};

/** Passes connections on to a server, and can let them go silent like a broken network. */
export async function startFrozenProxy(target: {
  port: number;
  host?: string;
  /** The path of a Unix socket instead. */
  path?: string;
}): Promise<FrozenProxy> {
  const sockets = new Set<Socket>();
  const lines = new Set<{ isFrozen: boolean }>();
  let areNewFrozen = false;
  const server = createServer((inner) => {
    const line = { isFrozen: areNewFrozen };
    lines.add(line);
    const outer = target.path ? connect(target.path) : connect(target.port, target.host);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!line.isFrozen) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!line.isFrozen) to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    freezeOpen: () => {
      for (const line of lines) line.isFrozen = true;
    },
    freezeNew: (isFrozen) => {
      areNewFrozen = isFrozen;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
