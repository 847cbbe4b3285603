import { getAccount, switchNetwork } from '@latchkey/core'
import { isLatchkeyError, type ChainId } from '@latchkey/protocol'
import { useState } from 'react'
import { useLatchkey } from '../../context.ts'

/** The state of a network switch. */
export type Switch =
  | { status: 'idle' }
  | { status: 'waiting'; chainId: ChainId }
  | { status: 'failed'; chainId: ChainId; error: unknown }

/**
 * Switches networks. A later choice replaces a pending one.
 *
 * @param onSwitched called once the network is switched
 */
export function useNetworkSwitch(onSwitched: () => void): { state: Switch; choose(chainId: ChainId): void } {
  const latchkey = useLatchkey()
  const [state, setState] = useState<Switch>({ status: 'idle' })
  const settle = (chainId: ChainId, outcome: Switch): void =>
    setState((present) => (present.status === 'waiting' && present.chainId === chainId ? outcome : present))
  return {
    state,
    choose(chainId) {
      const isConnected = getAccount(latchkey).status === 'connected'
      setState(isConnected ? { status: 'waiting', chainId } : { status: 'idle' })
      switchNetwork(latchkey, chainId).then(
        () => {
          settle(chainId, { status: 'idle' })
          onSwitched()
        },
        (error: unknown) => {
          const isOld = isLatchkeyError(error, 'connection/aborted')
          settle(chainId, isOld ? { status: 'idle' } : { status: 'failed', chainId, error })
        },
      )
    },
  }
}
