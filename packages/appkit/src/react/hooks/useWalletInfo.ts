import type { Namespace } from '@latchkey/protocol'
import { useMemo } from 'react'
import { withWalletState } from '../../instance/appKitContext.ts'
import { readWalletInfo, type AppKitWalletInfo } from '../../instance/createAccountMethods.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the wallet that is connected in a namespace.
 *
 * @param namespace the active one if omitted
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { walletInfo } = useWalletInfo()
 */
export function useWalletInfo(namespace?: Namespace): { walletInfo: AppKitWalletInfo | undefined } {
  const { context } = useCurrentAppKit()
  const wallet = useAppKitStore(context.latchkey.wallet)
  const walletInfo = useMemo(
    () => readWalletInfo(withWalletState(context, wallet), namespace),
    [context, wallet, namespace],
  )
  return { walletInfo }
}
