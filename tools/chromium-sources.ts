/** What the machine is like, as far as finding a browser goes. */
export type Machine = {
  platform: string;
  arch: string;
  env: Record<string, string | undefined>;
  isRoot: boolean;
};

/** One way to a browser. They are tried in order; the first that answers with a path wins. */
export type ChromiumSource =
  | { kind: 'given'; path: string }
  | { kind: 'command'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'npm'; package: string }
  | { kind: 'apt'; package: string };

export const NPM_CHROMIUM = '@sparticuz/chromium@153.0.0';

/** The one without a window first: nobody looks at it, and drawing the browser's own controls costs as much as the page. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const MAC_FILES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const WINDOWS_FILES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

function filesOf({ platform, env }: Machine): string[] {
  if (platform === 'darwin') return MAC_FILES;
  if (platform !== 'win32') return [];
  const roots = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']];
  return roots
    .filter((root) => root !== undefined)
    .flatMap((root) => WINDOWS_FILES.map((file) => `${root}\\${file}`));
}

/** A path that was given is the only one tried: falling back would test in another browser than asked for. */
export function chromiumSources(machine: Machine): ChromiumSource[] {
  const { platform, arch, env, isRoot } = machine;
  if (env['CHROMIUM_PATH']) return [{ kind: 'given', path: env['CHROMIUM_PATH'] }];

  const sources: ChromiumSource[] = [];
  if (platform !== 'win32')
    sources.push(...COMMANDS.map((name) => ({ kind: 'command', name }) as const));
  sources.push(...filesOf(machine).map((path) => ({ kind: 'file', path }) as const));
  if (platform === 'linux' && arch === 'x64') sources.push({ kind: 'npm', package: NPM_CHROMIUM });
  // Only where nobody's machine is changed: a build machine, as the user who may.
  if (platform === 'linux' && env['CI'] === 'true' && isRoot) {
    sources.push({ kind: 'apt', package: 'chromium-headless-shell' });
  }
  return sources;
}

export function noChromiumMessage({ platform, env }: Machine): string {
  if (env['CHROMIUM_PATH']) {
    return `CHROMIUM_PATH is ${env['CHROMIUM_PATH']}, but there is no program there.`;
  }
  const install = {
    linux: 'install the package "chromium" (Debian: apt-get install chromium)',
    darwin: 'install Google Chrome or Chromium (brew install --cask chromium)',
    win32: 'install Google Chrome (winget install Google.Chrome)',
  }[platform];
  return `The end-to-end tests need a Chromium and found none: ${install ?? 'install a Chromium'}, or set CHROMIUM_PATH to one.`;
}
