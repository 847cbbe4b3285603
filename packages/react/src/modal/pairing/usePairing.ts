import { pair, type PairingState, type Reach } from '@latchkey/core'
import { isLatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import { useEffect, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../context.ts'
import { useConnectors } from '../../hooks/useConnectors.ts'
import { useStore } from '../../useStore.ts'

const idle: Reach = { state: 'idle' }

/**
 * Waits for a phone wallet as long as the modal is open, and begins anew by itself when the road to it opens again.
 *
 * @param wallet the one that was chosen, when one was
 * @param wanted whether anything is to be waited for yet
 */
export function usePairing(
  wallet: WalletListEntry | undefined,
  wanted: boolean = true,
): { pairing: PairingState; reach: Reach } {
  const latchkey = useLatchkey()
  const pairing = useStore(latchkey.pairing)
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

/** Whether phone wallets can be reached at this moment. */
function useReach(): Reach {
  const reach = useConnectors().find(({ type }) => type === 'walletConnect')?.reach
  return useSyncExternalStore(
    reach?.subscribe ?? (() => () => {}),
    () => reach?.get() ?? idle,
    () => idle,
  )
}
