import type { Latchkey, WalletState } from '@latchkey/core'
import { defineFeature, getFeature } from '@latchkey/core/internal'
import { useLatchkey } from './context.ts'
import { useStore } from './useStore.ts'

const walletSnapshots = defineFeature(() => new WeakMap<WalletState, Map<string, unknown>>())

/**
 * Returns the result of an action about the wallets, computed once per wallet state. The object is the same until the state
 * changes.
 *
 * @param name identifies the action and its arguments
 */
export function useWalletSnapshot<value>(name: string, compute: (latchkey: Latchkey) => value): value {
  const latchkey = useLatchkey()
  const state = useStore(latchkey.wallet)
  const all = getFeature(latchkey, walletSnapshots)
  const cached = all.get(state) ?? new Map<string, unknown>()
  all.set(state, cached)
  if (!cached.has(name))
    cached.set(name, compute({ ...latchkey, wallet: { ...latchkey.wallet, getState: () => state } }))
  // Each name identifies one action, whose result was stored above.
  return cached.get(name) as value
}
