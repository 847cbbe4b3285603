import type {
  StandardFeatures,
  StandardMessageInput,
  StandardSendInput,
  StandardTransactionInput,
} from './standardAccount.ts'
import type { SigningDependencies } from './signStandardTransactions.ts'
import { rejectAsProvider } from './rejectAsProvider.ts'

const supportedTransactionVersions = ['legacy', 0] as const

/** Creates the features with which apps sign. Their code is loaded with the first request. */
export function createSigningFeatures(
  dependencies: SigningDependencies,
): Pick<StandardFeatures, 'solana:signMessage' | 'solana:signTransaction' | 'solana:signAndSendTransaction'> {
  const loadMethods = () => import('./signStandardTransactions.ts')
  return {
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs: readonly StandardMessageInput[]) =>
        rejectAsProvider(async () => (await loadMethods()).signStandardMessages(dependencies, inputs)),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      signTransaction: (...inputs: readonly StandardTransactionInput[]) =>
        rejectAsProvider(async () => (await loadMethods()).signStandardTransactions(dependencies, inputs)),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      signAndSendTransaction: (...inputs: readonly StandardSendInput[]) =>
        rejectAsProvider(async () => (await loadMethods()).sendStandardTransactions(dependencies, inputs)),
    },
  }
}
