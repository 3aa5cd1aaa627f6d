/** An element of a page, as the browser's own protocol names it. */
export type Handle = {
  click: () => Promise<void>;
  /** Types into it, key by key. Characters of `KEYS` are keys without a letter. */
  type: (text: string) => Promise<void>;
  setFiles: (paths: string[]) => Promise<void>;
};

/** Keys as WebDriver writes them. */
export const KEYS = { Escape: '\uE00C', ArrowRight: '\uE014', End: '\uE010' } as const;

/** A window without anything stored, in a browser of this machine. */
export type Tab = {
  open: (url: string) => Promise<void>;
  /** Calls a function in the page. Arguments and result are JSON. */
  run: (source: string, args: unknown[]) => Promise<unknown>;
  /** Calls one that returns an element, or null. */
  find: (source: string, args: unknown[]) => Promise<Handle | null>;
  screenshot: () => Promise<Buffer>;
  /** What the browser's console says is wrong. */
  problems: () => string[];
  close: () => Promise<void>;
};

export type Size = { width: number; height: number };

export type Driver = {
  version: string;
  openTab: (size: Size) => Promise<Tab>;
  close: () => Promise<void>;
};

/** Starts a browser with a folder for itself; null if the machine hasn’t got it. */
export type StartDriver = (folder: string, env: NodeJS.ProcessEnv) => Promise<Driver | null>;
