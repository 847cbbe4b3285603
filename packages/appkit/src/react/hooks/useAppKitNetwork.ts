import { useMemo } from 'react'
import type { AppKit } from '../../instance/appKit.ts'
import { withWalletState } from '../../instance/appKitContext.ts'
import { readNetworkState, type AppKitNetworkState } from '../../instance/readNetworkState.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the network of the active namespace, and the function that switches it.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * import { base } from '@latchkey/appkit/networks'
 * const { caipNetwork, switchNetwork } = useAppKitNetwork()
 * show(caipNetwork?.name, () => switchNetwork(base))
 */
export function useAppKitNetwork(): AppKitNetworkState & Pick<AppKit, 'switchNetwork'> {
  const { context, switchNetwork } = useCurrentAppKit()
  const wallet = useAppKitStore(context.latchkey.wallet)
  return useMemo(
    () => ({ ...readNetworkState(withWalletState(context, wallet)), switchNetwork }),
    [context, wallet, switchNetwork],
  )
}
