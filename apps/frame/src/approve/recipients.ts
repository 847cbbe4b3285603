/** Addresses that this wallet sent something to, so that one that only looks like them is told apart. */
export type Recipients = {
  list(): Promise<readonly string[]>
  add(address: string): Promise<void>
}

/** Kept for as long as the page lives. */
export function createRecipients(): Recipients {
  const known = new Set<string>()
  return {
    list: async () => [...known],
    add: async (address) => void known.add(address),
  }
}
