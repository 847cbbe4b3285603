/** Addresses that this wallet has sent to. They reveal look-alikes. */
export type Recipients = {
  list(): Promise<readonly string[]>
  add(address: string): Promise<void>
}

/** Storage of the addresses. */
type Memory = {
  read(name: string): Promise<unknown>
  write(entries: Readonly<Record<string, unknown>>): Promise<void>
}

const name = 'recipients'
/** The most recent ones. Users don't copy older addresses. */
const most = 200

/**
 * Creates the list of recipients.
 *
 * @param memory storage. Default: memory of the page.
 */
export function createRecipients(memory: Memory = createTemporaryMemory()): Recipients {
  const list = async (): Promise<readonly string[]> => {
    const stored = await memory.read(name)
    return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : []
  }
  let last: Promise<void> = Promise.resolve()
  return {
    list,
    add(address) {
      // Sequential, so that concurrent writes lose no address.
      last = last.then(async () => {
        const others = (await list()).filter((each) => each !== address)
        await memory.write({ [name]: [...others, address].slice(-most) })
      })
      return last
    },
  }
}

function createTemporaryMemory(): Memory {
  const stored = new Map<string, unknown>()
  return {
    read: async (key) => stored.get(key),
    async write(entries) {
      for (const [key, value] of Object.entries(entries)) stored.set(key, value)
    },
  }
}
