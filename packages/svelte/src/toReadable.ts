/** A store as Svelte defines it. It calls a subscriber at once, and whenever the value changes. */
export type Readable<value> = { subscribe(run: (value: value) => void): () => void }

/** Creates a store of Svelte from a source and a function that reads its value. */
export function toReadable<value>(
  source: { subscribe(listener: () => void): () => void },
  read: () => value,
): Readable<value> {
  return {
    subscribe(run) {
      run(read())
      return source.subscribe(() => run(read()))
    },
  }
}
