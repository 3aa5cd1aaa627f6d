import { SubsonicError } from './errors.ts';

/** A broken or Latin-1 escape sequence is read as Latin-1, as old apps send it. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replaceAll(/%([0-9a-f]{2})/gi, (_found, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

const MAX_ID = 100;

/** Of any kind: no id is longer than this. */
export const isPossibleId = (id: string): boolean => id.length > 0 && id.length <= MAX_ID;

/** The parameters of a call, from its URL and its form. Each can be there several times. */
export class Params {
  readonly #values = new Map<string, string[]>();

  constructor(...forms: readonly string[]) {
    for (const pair of forms.join('&').split('&')) {
      const end = pair.indexOf('=');
      const name = decode(end < 0 ? pair : pair.slice(0, end));
      if (name === '') continue;
      const value = end < 0 ? '' : decode(pair.slice(end + 1));
      const known = this.#values.get(name);
      if (known) known.push(value);
      else this.#values.set(name, [value]);
    }
  }

  all(name: string): readonly string[] {
    const values = this.#values.get(name) ?? [];
    // No database can search for it.
    if (values.some((value) => value.includes('\0')))
      throw new SubsonicError(10, `The parameter ${name} contains an invalid character.`);
    return values;
  }

  /** The first one. */
  find(name: string): string | undefined {
    return this.all(name)[0];
  }

  get(name: string): string {
    const value = this.find(name);
    if (value === undefined || value === '')
      throw new SubsonicError(10, `The required parameter ${name} is missing.`);
    return value;
  }

  ids(name: string): string[] {
    return this.all(name).filter(isPossibleId);
  }

  id(name = 'id'): string {
    const id = this.get(name);
    if (id.length > MAX_ID) throw new SubsonicError(70);
    return id;
  }

  /** A whole number, moved into the range if it is outside. */
  number(
    name: string,
    { otherwise, min = 0, max }: { otherwise: number; min?: number; max: number },
  ) {
    const text = this.find(name);
    if (text === undefined || text === '') return otherwise;
    if (!/^-?\d+(?:\.0+)?$/.test(text))
      throw new SubsonicError(10, `The parameter ${name} must be a whole number.`);
    return Math.min(Math.max(Math.trunc(Number(text)), min), max);
  }

  /** Undefined if it is neither. */
  flag(name: string): boolean | undefined {
    const text = this.find(name)?.toLowerCase();
    if (text === 'true' || text === '1') return true;
    return text === 'false' || text === '0' ? false : undefined;
  }
}
