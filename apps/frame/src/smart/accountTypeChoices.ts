import type { FrameAccountType } from '@latchkey/protocol'
import type { HolderStore } from '../worker/storage/holderStore.ts'

/** The account type that each page uses. */
export type AccountTypeChoices = {
  /**
   * Returns the page's account type: the one that it was given before, else the user's last choice in this browser,
   * else the page's preference, else the smart account [R6.1].
   */
  getForPage(user: string, origin: string, preference?: FrameAccountType): Promise<FrameAccountType>
  /** Call this for the user's own choices only. */
  choose(user: string, origin: string, type: FrameAccountType): Promise<void>
}

/** Creates the choices, kept in the frame's store. A page keeps its type until the user switches. */
export function createAccountTypeChoices(store: HolderStore): AccountTypeChoices {
  const acknowledgedName = (user: string, origin: string): string => `acknowledged:${user} ${origin}`
  const chosenName = (user: string): string => `chosen:${user}`
  const read = async (name: string): Promise<FrameAccountType | undefined> => {
    const stored = await store.read(name)
    return stored === 'eoa' || stored === 'smartAccount' ? stored : undefined
  }
  return {
    async getForPage(user, origin, preference) {
      const acknowledged = await read(acknowledgedName(user, origin))
      if (acknowledged !== undefined) return acknowledged
      const type = (await read(chosenName(user))) ?? preference ?? 'smartAccount'
      // Concurrent requests of a page get the same type.
      return (await store.claim(acknowledgedName(user, origin), type)) === 'eoa' ? 'eoa' : 'smartAccount'
    },
    async choose(user, origin, type) {
      await store.write({ [acknowledgedName(user, origin)]: type, [chosenName(user)]: type })
    },
  }
}
