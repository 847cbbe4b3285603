import { Connection } from '@solana/web3.js'
import { useMemo } from 'react'
import { useAppKitNetwork } from '../../react/hooks/useAppKitNetwork.ts'
import { useCurrentAppKit } from '../../react/hooks/useCurrentAppKit.ts'
import { SolanaAdapter } from '../solana/SolanaAdapter.ts'

/**
 * Returns a connection of `@solana/web3.js` to the selected network of Solana.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { connection } = useSolanaConnection()
 */
export function useSolanaConnection(): { connection: Connection | undefined } {
  const { context, getCaipNetwork } = useCurrentAppKit()
  const { caipNetwork: active } = useAppKitNetwork()
  const isKnown = context.adapters.some(({ namespace }) => namespace === 'solana')
  const network = active?.chainNamespace === 'solana' ? active : isKnown ? getCaipNetwork('solana') : undefined
  const [endpoint] = network?.rpcUrls.default.http ?? []
  const adapter = context.adapters.find((each) => each instanceof SolanaAdapter)
  const commitment = adapter?.commitment
  const connection = useMemo(
    () => (endpoint === undefined ? undefined : new Connection(endpoint, commitment)),
    [endpoint, commitment],
  )
  return { connection }
}
