import { companion, type Latchkey, type WalletState } from '@latchkey/core'
import { useLatchkey } from './context.ts'
import { useStore } from './useStore.ts'

const snapshotsKey = Symbol('snapshots')

/**
 * What an action says of the wallets, worked out once for each of their states: the same object as long as nothing
 * changes.
 *
 * @param name what is asked, with all that it depends on
 */
export function useWalletSnapshot<value>(name: string, ask: (latchkey: Latchkey) => value): value {
  const latchkey = useLatchkey()
  const state = useStore(latchkey.wallet)
  const all = companion(latchkey, snapshotsKey, () => new WeakMap<WalletState, Map<string, unknown>>())
  const kept = all.get(state) ?? new Map<string, unknown>()
  all.set(state, kept)
  if (!kept.has(name)) kept.set(name, ask({ ...latchkey, wallet: { ...latchkey.wallet, getState: () => state } }))
  // Each name stands for one question, whose answer was put there above.
  return kept.get(name) as value
}
