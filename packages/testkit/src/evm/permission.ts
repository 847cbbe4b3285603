import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The page's access to the wallet's accounts. Survives reloads, as in a real extension. */
export type Permission = {
  /** The accounts that the page may use. Empty without permission or while the wallet is locked. */
  accounts(): readonly LocalAccount[]
  addresses(): readonly string[]
  /** The permitted accounts, including while the wallet is locked. */
  permitted(): readonly string[]
  /** Grants access once the wallet is unlocked. */
  grant(): Promise<readonly string[]>
  revoke(): void
  select(privateKeys: readonly Hex[]): void
  /** Sets the accounts that the next permission dialog chooses. */
  chooseNext(privateKeys: readonly Hex[]): void
  /** Applies the selection of `chooseNext`, if any. */
  choose(): void
  lock(): void
  unlock(): void
}

/**
 * Creates the permission of an unlocked wallet to share its accounts. @param given `privateKeys` are those of its
 * accounts, the active one first
 */
export function createPermission(given: { permitted: boolean; privateKeys: readonly Hex[] }): Permission {
  let { permitted } = given
  let all = given.privateKeys.map((key) => privateKeyToAccount(key))
  let locked = false
  let next: readonly Hex[] | undefined
  let waiting: (() => void)[] = []
  const accounts = (): readonly LocalAccount[] => (permitted && !locked ? all : [])
  const addresses = (): readonly string[] => accounts().map(({ address }) => address)
  return {
    accounts,
    addresses,
    permitted: () => (permitted ? all.map(({ address }) => address) : []),
    async grant() {
      if (locked) await new Promise<void>((resolve) => waiting.push(resolve))
      permitted = true
      return addresses()
    },
    revoke: () => void (permitted = false),
    select: (privateKeys) => void (all = privateKeys.map((key) => privateKeyToAccount(key))),
    chooseNext: (privateKeys) => void (next = privateKeys),
    choose() {
      permitted = true
      if (next !== undefined) all = next.map((key) => privateKeyToAccount(key))
      next = undefined
    },
    lock: () => void (locked = true),
    unlock() {
      locked = false
      for (const goOn of waiting) goOn()
      waiting = []
    },
  }
}
