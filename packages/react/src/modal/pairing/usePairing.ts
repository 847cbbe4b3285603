import type { Reachability } from '@latchkey/core'
import { modalOf, pair, type PairingState } from '@latchkey/modal'
import { isLatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import { useEffect, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../context.ts'
import { useConnectors } from '../../hooks/useConnectors.ts'
import { useStore } from '../../useStore.ts'

const idle: Reachability = { state: 'idle' }

/**
 * Pairs with a phone wallet while the modal is open. Pairs again automatically when the relay becomes reachable.
 *
 * @param wallet the selected wallet, if any
 * @param wanted false until a pairing is needed
 */
export function usePairing(
  wallet: WalletListEntry | undefined,
  wanted: boolean = true,
): { pairing: PairingState; reach: Reachability } {
  const latchkey = useLatchkey()
  const pairing = useStore(modalOf(latchkey).pairing)
  const reach = useReach()
  useEffect(() => {
    if (wanted) pair(latchkey, wallet)
  }, [latchkey, wallet, wanted])
  const isCutOff = pairing.status === 'failed' && isLatchkeyError(pairing.error, 'relay/unreachable')
  const isBack = isCutOff && reach.state === 'ready'
  useEffect(() => {
    if (isBack) pair(latchkey, wallet)
  }, [latchkey, wallet, isBack])
  return { pairing, reach }
}

/** Returns true if the relay is reachable. */
function useReach(): Reachability {
  const reach = useConnectors().find(({ type }) => type === 'walletConnect')?.reach
  return useSyncExternalStore(
    reach?.subscribe ?? (() => () => {}),
    () => reach?.get() ?? idle,
    () => idle,
  )
}
