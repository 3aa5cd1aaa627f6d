/** The parts that tests use of packages without types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  const ece: {
    decrypt(
      body: Buffer,
      keys: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer },
    ): Buffer;
  };
  export default ece;
}

declare module 'lastfm' {
  import type { EventEmitter } from 'node:events';

  type Parameters = Record<string, string>;
  type Session = EventEmitter & { user: string; key: string };

  /** Everything that it returns emits `success` or `error` once. */
  export class LastFmNode {
    constructor(options: { api_key: string; secret: string; host: string; port: number });
    request(method: string, parameters: Parameters): EventEmitter;
    session(options: { token: string }): Session;
    update(what: 'nowplaying' | 'scrobble', session: Session, parameters: Parameters): EventEmitter;
  }
}

declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net';

  type Folder = {
    messages: { uid: number; flags: string[]; raw: string }[];
    uidvalidity: number;
    uidnext: number;
  };

  export default function createServer(options: {
    storage: Record<string, { messages?: [] }>;
    plugins: string[];
  }): {
    server: Server;
    folderCache: Record<string, Folder>;
    appendMessage: (folder: string, flags: string[], internalDate: string, raw: string) => unknown;
    listen: (port: number, host: string, done: () => void) => void;
    close: (done: () => void) => void;
  };
}
