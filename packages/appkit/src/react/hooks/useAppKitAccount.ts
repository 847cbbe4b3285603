import type { Namespace } from '@latchkey/protocol'
import { useMemo } from 'react'
import { withWalletState } from '../../instance/appKitContext.ts'
import { readAccount, type AppKitAccount } from '../../instance/createAccountMethods.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the account of a namespace. The object is the same until something changes.
 *
 * @param options `namespace`: the active one if omitted
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { address, isConnected } = useAppKitAccount()
 * if (isConnected) show(address)
 */
export function useAppKitAccount({ namespace }: { namespace?: Namespace } = {}): AppKitAccount {
  const { context } = useCurrentAppKit()
  const wallet = useAppKitStore(context.latchkey.wallet)
  return useMemo(() => readAccount(withWalletState(context, wallet), namespace), [context, wallet, namespace])
}
