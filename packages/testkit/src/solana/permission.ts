import { solanaKey, type SolanaKey } from './keys.ts'

/** The page's access to a wallet's accounts. Survives reloads, as in a real extension. */
export type SolanaPermission = {
  /** Empty without permission or while the wallet is locked. */
  accounts(): readonly SolanaKey[]
  isLocked(): boolean
  /** Grants access once the wallet is unlocked. */
  grant(): Promise<void>
  revoke(): void
  select(privateKeys: readonly string[]): void
  remove(address: string): void
  lock(): void
  unlock(): void
}

/**
 * Creates the permission of an unlocked wallet to share its accounts. @param given `privateKeys` are those of its
 * accounts, the active one first
 */
export function createSolanaPermission(given: {
  permitted: boolean
  privateKeys: readonly string[]
}): SolanaPermission {
  let { permitted } = given
  let all = given.privateKeys.map(solanaKey)
  let locked = false
  let waiting: (() => void)[] = []
  return {
    accounts: () => (permitted && !locked ? all : []),
    isLocked: () => locked,
    async grant() {
      if (locked) await new Promise<void>((resolve) => waiting.push(resolve))
      permitted = true
    },
    revoke: () => void (permitted = false),
    select: (privateKeys) => void (all = privateKeys.map(solanaKey)),
    remove: (address) => void (all = all.filter((key) => key.address !== address)),
    lock: () => void (locked = true),
    unlock() {
      locked = false
      for (const goOn of waiting) goOn()
      waiting = []
    },
  }
}
