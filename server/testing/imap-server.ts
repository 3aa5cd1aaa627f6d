import type { AddressInfo, Socket } from 'node:net';
import createServer from 'hoodiecrow-imap';

export type TestImap = {
  url: string;
  add: (raw: string, arrivedAt: number) => void;
  list: () => { uid: number; isRead: boolean }[];
  /** As after a restore of the server’s backup: the same mails with other numbers. */
  renumber: (uidValidity: number) => void;
  close: () => Promise<void>;
};

/** `15-Nov-2026 12:00:00 +0000` */
const toInternalDate = (at: number): string =>
  new Date(at).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1-$2-$3 $4 +0000');

/** A real IMAP server on the loopback address, with one mailbox that is empty at first. */
export async function startImapServer(): Promise<TestImap> {
  const server = createServer({
    storage: { INBOX: { messages: [] }, '': {} },
    plugins: ['ID', 'UIDPLUS', 'UNSELECT'],
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  const inbox = () => {
    const folder = server.folderCache.INBOX;
    if (!folder) throw new Error('There is no INBOX.');
    return folder;
  };
  return {
    url: `imap://testuser:testpass@127.0.0.1:${port}/INBOX`,
    add: (raw, arrivedAt) => void server.appendMessage('INBOX', [], toInternalDate(arrivedAt), raw),
    list: () =>
      inbox().messages.map(({ uid, flags }) => ({ uid, isRead: flags.includes('\\Seen') })),
    renumber(uidValidity) {
      const folder = inbox();
      folder.uidvalidity = uidValidity;
      for (const [index, message] of folder.messages.entries()) message.uid = index + 1;
      folder.uidnext = folder.messages.length + 1;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  };
}
