/** Addresses that this wallet sent something to, so that one that only looks like them is told apart. */
export type Recipients = {
  list(): Promise<readonly string[]>
  add(address: string): Promise<void>
}

/** Where they are remembered. */
type Memory = {
  read(name: string): Promise<unknown>
  write(entries: Readonly<Record<string, unknown>>): Promise<void>
}

const name = 'recipients'
/** The latest: nobody copies an address that he used so long ago. */
const most = 200

/**
 * Keeps them in this browser.
 *
 * @param memory for as long as the page lives when left out
 */
export function createRecipients(memory: Memory = forNow()): Recipients {
  const list = async (): Promise<readonly string[]> => {
    const kept = await memory.read(name)
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : []
  }
  let last: Promise<void> = Promise.resolve()
  return {
    list,
    add(address) {
      // One after the other: what is read meanwhile would be written without the others.
      last = last.then(async () => {
        const others = (await list()).filter((each) => each !== address)
        await memory.write({ [name]: [...others, address].slice(-most) })
      })
      return last
    },
  }
}

function forNow(): Memory {
  const kept = new Map<string, unknown>()
  return {
    read: async (key) => kept.get(key),
    async write(entries) {
      for (const [key, value] of Object.entries(entries)) kept.set(key, value)
    },
  }
}
