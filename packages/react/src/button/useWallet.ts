import type { Connector } from '@latchkey/core'
import { openModal } from '@latchkey/modal'
import { isLatchkeyError, type Namespace } from '@latchkey/protocol'
import { useState } from 'react'
import { useLatchkey } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { socialNames } from '../modal/login/social/socialNames.ts'
import { useStore } from '../useStore.ts'

/** The login methods that a button can name. */
const names: { readonly [name: string]: string | undefined } = { email: 'Email', ...socialNames }

/** The status of one wallet. `failed` lasts until the next attempt. */
export type WalletStatus = 'ready' | 'pending' | 'failed' | 'connected'

/**
 * Returns one wallet, its status, and a function that connects it.
 *
 * @param wallet its id, reverse-DNS name, or name in any case
 */
export function useWallet(
  wallet: string,
  namespace: Namespace | undefined,
): { name: string; icon: string | undefined; status: WalletStatus; connect(): void } {
  const latchkey = useLatchkey()
  const account = useAccount(namespace)
  const all = useStore(latchkey.connectors)
  const [outcome, setOutcome] = useState<'pending' | 'failed'>()
  const found = all.filter((connector) => isNamed(connector, wallet) && servesNamespace(connector, namespace))
  const [first] = found
  const isConnected = account.status === 'connected' && found.some(({ id }) => id === account.connectorId)
  const connect = async (): Promise<void> => {
    if (outcome === 'pending') return
    if (isConnected) return openModal(latchkey, { namespace })
    setOutcome('pending')
    try {
      const { connectWallet } = await import('./connectWallet.ts')
      await connectWallet(latchkey, { wallet, connectors: found, namespace })
      setOutcome(undefined)
    } catch (error) {
      setOutcome(isLatchkeyError(error, 'connection/aborted') ? undefined : 'failed')
    }
  }
  return {
    name: first?.name ?? names[wallet] ?? wallet,
    icon: first?.icon,
    status: isConnected ? 'connected' : (outcome ?? 'ready'),
    connect: () => void connect(),
  }
}

function isNamed({ id, rdns, name }: Connector, wallet: string): boolean {
  return id === wallet || rdns === wallet || name.toLowerCase() === wallet.toLowerCase()
}

function servesNamespace({ namespaces }: Connector, namespace: Namespace | undefined): boolean {
  return namespace === undefined || namespaces.includes(namespace)
}
