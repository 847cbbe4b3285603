import type { ChainId, Network } from '@latchkey/protocol'
import type { SigningProtocol } from './askWallet.ts'

/** In whose words a wallet of the page is asked. */
export type WalletKind = 'standard' | 'sats' | 'leather' | 'unisat'

/** An address as a wallet of the page shares it. */
export type WalletAddress = {
  address: string
  purpose: 'payment' | 'ordinals' | undefined
  publicKey?: string
  path?: string
}

/** What a wallet shows of itself while it is open to the page. */
export type Opened = {
  addresses: readonly WalletAddress[]
  chainId: ChainId
  approvedChains: readonly ChainId[] | 'all'
}

export type MessageToSign = { address: string; message: string; protocol: SigningProtocol }

export type PsbtToSign = {
  /** Base64. */
  psbt: string
  inputs: ReadonlyArray<{ address: string; index: number; sighashTypes: readonly number[] | undefined }>
  broadcast: boolean
}

export type TransferToSend = { from: string; to: string; value: bigint }

/** A wallet of the page in our words. What it throws is the wallet's own; what it answers was read. */
export type PageWallet = {
  /**
   * Opens the wallet to the page, asking its owner unless `silent`.
   *
   * @returns undefined when it shows nothing.
   */
  open(request: { silent: boolean; networks: readonly Network[] }): Promise<Opened | undefined>
  /** @returns base64. */
  signMessage(request: MessageToSign): Promise<unknown>
  /** @returns base64. */
  signPsbt(request: PsbtToSign): Promise<{ psbt: unknown; txid?: unknown }>
  /** @returns the transaction's id. */
  sendTransfer(request: TransferToSend): Promise<unknown>
  /** False when it cannot go there. */
  switchTo(chainId: ChainId): Promise<boolean>
  /** Takes the consent back, where the wallet lets a page do that. */
  close(): Promise<unknown>
  /** Follows the wallet: something changed, or the page was shut out. */
  listen(heard: { changed(): void; left(): void }): () => void
}

/** What a wallet answers about something it does not have. */
export class MissingMethod extends Error {
  override readonly name: string = 'MissingMethod'
  readonly code: number = 4200
}

/** A field of what may be anything, even something that throws when it is looked at. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  try {
    return path.reduce<unknown>((inner, name) => (isThing(inner) ? Reflect.get(inner, name) : undefined), value)
  } catch {
    return undefined
  }
}

/**
 * Calls a method of a wallet's object.
 *
 * @throws MissingMethod when there is no such method, and what the wallet throws.
 */
export async function call(target: unknown, name: string, ...args: readonly unknown[]): Promise<unknown> {
  const method = field(target, name)
  if (typeof method !== 'function') throw new MissingMethod(`It has no ${name}.`)
  return Reflect.apply(method, target, args)
}

/** The values of a list that may be none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isThing(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
