import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type TestSmtp = {
  url: string;
  /** The messages that arrived completely. */
  received: () => Promise<Email[]>;
  close: () => Promise<void>;
};

/**
 * A real SMTP server on the loopback address. `onReceived` runs when a message has arrived, before the
 * server says so; if it returns false, the connection ends without an answer.
 */
export async function startSmtpServer(
  options: SMTPServerOptions & { onReceived?: () => Promise<boolean> | boolean } = {},
  login = '',
): Promise<TestSmtp> {
  const { onReceived = () => true, ...settings } = options;
  const raw: Buffer[] = [];
  const sockets = new Set<{ destroy: () => void }>();
  const answer = async (done: () => void) => {
    if (await onReceived()) done();
    else for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onData: (stream, _session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        raw.push(Buffer.concat(parts));
        void answer(done);
      });
    },
    ...settings,
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    received: () => Promise.all(raw.map((bytes) => PostalMime.parse(bytes))),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
