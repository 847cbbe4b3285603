import type { ChainId, Network } from '@latchkey/protocol'
import type { SigningProtocol } from '../wallet/requestMessageSignature.ts'

/** An address that a wallet of the page shares. */
export type WalletAddress = {
  address: string
  purpose: 'payment' | 'ordinals' | undefined
  /** Hex. */
  publicKey?: string
  /** A BIP-32 path. */
  path?: string
}

/** The addresses and chains that an opened wallet shares. */
export type OpenedWallet = {
  addresses: readonly WalletAddress[]
  chainId: ChainId
  approvedChains: readonly ChainId[] | 'all'
}

/** A request to open a wallet. A silent request must not show anything to the user. */
export type OpenRequest = { silent: boolean; networks: readonly Network[] }

export type MessageToSign = { address: string; message: string; protocol: SigningProtocol }

export type PsbtToSign = {
  /** Base64. */
  psbt: string
  inputs: ReadonlyArray<{ address: string; index: number; sighashTypes: readonly number[] | undefined }>
  broadcast: boolean
}

export type TransferToSend = { from: string; to: string; value: bigint }

/** One interface for all kinds of wallets in the page. Methods throw the wallet's own errors. Responses are parsed. */
export type PageWallet = {
  /** @returns what the wallet shares; `undefined` if it shares nothing. */
  open(request: OpenRequest): Promise<OpenedWallet | undefined>
  /** @returns base64. */
  signMessage(request: MessageToSign): Promise<unknown>
  /** @returns base64. */
  signPsbt(request: PsbtToSign): Promise<{ psbt: unknown; txid?: unknown }>
  /** @returns the transaction id. */
  sendTransfer(request: TransferToSend): Promise<unknown>
  /** @returns false if the wallet can't use that chain. */
  switchTo(chainId: ChainId): Promise<boolean>
  /** Takes the consent back, if the wallet lets a page do that. */
  close(): Promise<unknown>
  /** Follows the wallet; returns a function that stops it. */
  listen(listener: { changed(): void; left(): void }): () => void
}
