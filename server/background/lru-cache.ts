type Entry<V> = { value: V; size: number; wasUsed: boolean };

/**
 * Keeps what was used of late, up to a size. Each entry counts one unless `sizeOf` says otherwise.
 * Nearly every request reads from one, so a use only leaves a mark: who has it when room is needed
 * goes to the end of the line instead of out.
 */
export class LruCache<K, V> {
  readonly #entries = new Map<K, Entry<V>>();
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
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.wasUsed = true;
    return entry.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const size = this.#sizeOf(value, key);
    if (size > this.#maxSize) return;
    this.#makeRoom(size);
    this.#entries.set(key, { value, size, wasUsed: false });
    this.#size += size;
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  #makeRoom(size: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#size + size <= this.#maxSize) return;
      if (entry.wasUsed) {
        entry.wasUsed = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else this.delete(key);
    }
  }
}
