import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** What a page may see of the wallet's accounts. It outlives reloads, as in an extension. */
export type Permission = {
  /** The accounts the page may use: none before it was permitted, nor while the wallet is locked. */
  accounts(): readonly LocalAccount[]
  addresses(): readonly string[]
  /** The accounts that it was permitted, also while the wallet is locked. */
  permitted(): readonly string[]
  /** Lets the page see the accounts, once the wallet is unlocked. */
  grant(): Promise<readonly string[]>
  revoke(): void
  select(privateKeys: readonly Hex[]): void
  /** What the owner will choose when he is next asked which accounts a page may see. */
  chooseNext(privateKeys: readonly Hex[]): void
  /** He chooses now, as he was told to, or leaves everything as it is. */
  choose(): void
  lock(): void
  unlock(): void
}

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
