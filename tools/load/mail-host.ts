import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

const TELL_MS = 50;

/** Takes every mail at once and forgets it. Calls back with the numbers of the members who got one. */
export async function createMailHost(onArrived: (members: number[]) => void) {
  let arrived: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        for (const { address } of session.envelope.rcptTo)
          arrived.push(Number(/member-(\d+)@/.exec(address)?.[1]));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const timer = setInterval(() => {
    if (arrived.length > 0) onArrived(arrived);
    arrived = [];
  }, TELL_MS);
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    close: () => {
      clearInterval(timer);
      return new Promise<void>((resolve) => server.close(resolve));
    },
  };
}
