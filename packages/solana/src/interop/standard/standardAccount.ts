import type { SendOptions } from '../../actions/sendOptions.ts'
import type { ownFeature } from '../../page/ownFeature.ts'

/** A chain, in the form of the Wallet Standard: `solana:mainnet`. */
export type StandardChain = `${string}:${string}`

/** The features of an account with which an app signs. */
export type StandardSigningFeature = 'solana:signMessage' | 'solana:signTransaction' | 'solana:signAndSendTransaction'

/** An account of the Wallet Standard. */
export type StandardAccount = {
  readonly address: string
  readonly publicKey: Uint8Array
  /** The networks of the app that the wallet approved. */
  readonly chains: readonly StandardChain[]
  readonly features: readonly StandardSigningFeature[]
  readonly label?: string
}

/** A message to sign. */
export type StandardMessageInput = { readonly account: { readonly address: string }; readonly message: Uint8Array }

/** A transaction to sign, in wire format. */
export type StandardTransactionInput = {
  readonly account: { readonly address: string }
  readonly transaction: Uint8Array
  /** The wallet is switched to it first. */
  readonly chain?: StandardChain
}

/** A transaction to sign and send, in wire format. */
export type StandardSendInput = StandardTransactionInput & { readonly options?: SendOptions }

/** The features of Latchkey's wallet, as the Wallet Standard and its extension for Solana define them. */
export type StandardFeatures = {
  readonly 'standard:connect': {
    readonly version: '1.0.0'
    /** With `silent`, waits for the connection that is being restored, and asks the user nothing. */
    connect(input?: { readonly silent?: boolean }): Promise<{ readonly accounts: readonly StandardAccount[] }>
  }
  readonly 'standard:disconnect': { readonly version: '1.0.0'; disconnect(): Promise<void> }
  readonly 'standard:events': {
    readonly version: '1.0.0'
    on(event: 'change', listener: (change: { readonly accounts: readonly StandardAccount[] }) => void): () => void
  }
  readonly 'solana:signMessage': {
    readonly version: '1.1.0'
    signMessage(...inputs: readonly StandardMessageInput[]): Promise<
      readonly {
        readonly signedMessage: Uint8Array
        readonly signature: Uint8Array
        readonly signatureType: 'ed25519'
      }[]
    >
  }
  readonly 'solana:signTransaction': {
    readonly version: '1.0.0'
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    signTransaction(
      ...inputs: readonly StandardTransactionInput[]
    ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>
  }
  readonly 'solana:signAndSendTransaction': {
    readonly version: '1.0.0'
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    signAndSendTransaction(
      ...inputs: readonly StandardSendInput[]
    ): Promise<readonly { readonly signature: Uint8Array }[]>
  }
  /** Tells Latchkey that the wallet is its own. */
  readonly [ownFeature]: { readonly version: '1.0.0' }
}

/** A `Wallet` of the Wallet Standard, version 1. */
export type LatchkeyStandardWallet = {
  readonly version: '1.0.0'
  readonly name: string
  readonly icon: `data:image/${'svg+xml' | 'webp' | 'png' | 'gif'};base64,${string}`
  readonly chains: readonly StandardChain[]
  /** The accounts of the primary Solana wallet, the selected one first. */
  readonly accounts: readonly StandardAccount[]
  readonly features: StandardFeatures
}
