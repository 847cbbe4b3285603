import type { Latchkey } from '@latchkey/core'
import type {
  StandardFeatures,
  StandardMessageInput,
  StandardSendInput,
  StandardTransactionInput,
} from './standardWalletTypes.ts'
import { rejectAsProvider } from './rejectAsProvider.ts'

const supportedTransactionVersions = ['legacy', 0] as const

/** Creates the features with which apps sign. Their code is loaded with the first request. */
export function createSigningFeatures(
  latchkey: Latchkey,
): Pick<StandardFeatures, 'solana:signMessage' | 'solana:signTransaction' | 'solana:signAndSendTransaction'> {
  const loadMethods = () => import('./signingMethods.ts')
  return {
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs: readonly StandardMessageInput[]) =>
        rejectAsProvider(async () => (await loadMethods()).signStandardMessages(latchkey, inputs)),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      signTransaction: (...inputs: readonly StandardTransactionInput[]) =>
        rejectAsProvider(async () => (await loadMethods()).signStandardTransactions(latchkey, inputs)),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      signAndSendTransaction: (...inputs: readonly StandardSendInput[]) =>
        rejectAsProvider(async () => (await loadMethods()).sendStandardTransactions(latchkey, inputs)),
    },
  }
}
