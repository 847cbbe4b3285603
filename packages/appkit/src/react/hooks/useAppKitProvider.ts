import type { Namespace } from '@latchkey/protocol'
import type { WalletProviderType } from '../../instance/createAccountMethods.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the provider of the wallet that is connected in a namespace: EIP-1193 in eip155.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { walletProvider } = useAppKitProvider<{ request(args: { method: string }): Promise<unknown> }>('eip155')
 * await walletProvider?.request({ method: 'eth_accounts' })
 */
export function useAppKitProvider<provider>(namespace: Namespace): {
  // AppKit declares the provider as present; here the type says that it is missing without a wallet.
  walletProvider: provider
  walletProviderType: WalletProviderType | undefined
} {
  const { latchkey, getProvider, getProviderType } = useCurrentAppKit()
  useAppKitStore(latchkey.wallet)
  return {
    walletProvider: getProvider<provider>(namespace) as provider,
    walletProviderType: getProviderType(namespace),
  }
}
