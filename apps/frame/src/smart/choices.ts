import type { FrameAccountType } from '@latchkey/protocol'
import type { HolderStore } from '../worker/store.ts'

/** Which kind of account acts for a page. */
export type Choices = {
  /**
   * The kind that a page was told, or is told from now on: by what the visitor chose last in this browser, else by what
   * the page prefers, else the smart one [R6.1].
   */
  ofPage(user: string, origin: string, wish?: FrameAccountType): Promise<FrameAccountType>
  /** Only ever called for what the visitor himself chose. */
  choose(user: string, origin: string, type: FrameAccountType): Promise<void>
}

/** Keeps the choices in the frame's store. What a page was told once stays so until the visitor switches. */
export function createChoices(store: HolderStore): Choices {
  const toldName = (user: string, origin: string): string => `told:${user} ${origin}`
  const chosenName = (user: string): string => `chosen:${user}`
  const read = async (name: string): Promise<FrameAccountType | undefined> => {
    const kept = await store.read(name)
    return kept === 'eoa' || kept === 'smartAccount' ? kept : undefined
  }
  return {
    async ofPage(user, origin, wish) {
      const told = await read(toldName(user, origin))
      if (told !== undefined) return told
      const type = (await read(chosenName(user))) ?? wish ?? 'smartAccount'
      // Two requests of the page may ask at once: both get what the first was told.
      return (await store.claim(toldName(user, origin), type)) === 'eoa' ? 'eoa' : 'smartAccount'
    },
    async choose(user, origin, type) {
      await store.write({ [toldName(user, origin)]: type, [chosenName(user)]: type })
    },
  }
}
