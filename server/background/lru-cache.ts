/** Keeps what was used last, up to a size. Each entry counts one unless `sizeOf` says otherwise. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #maxSize: number;
  readonly #sizeOf: (value: V, key: K) => number;
  #size = 0;

  constructor(maxSize: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  /** Doesn't count as a use. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(value, key);
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(value, key);
  }
}
