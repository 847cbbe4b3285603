import type { AccountId, ChainId, Namespace, Network } from '@latchkey/protocol'
import type { Connection, Connector } from './connector.ts'
import type { Transfers } from './money/transfers.ts'
import type { Feature } from './supports.ts'

/** An amount of a network's native currency. */
export type Balance = {
  /** Base units: wei, lamports, satoshis. */
  value: bigint
  decimals: number
  symbol: string
}

/** A payment or contract call, the same words for every namespace; an adapter refuses what it cannot do. */
export type TransactionRequest = {
  to: string
  /** Base units of the native currency. */
  value?: bigint
  /** Call data, where the namespace has such a thing. */
  data?: `0x${string}`
  /**
   * The most work that it may take, in units of gas, where the namespace counts it: for calls that take more in a later
   * block than a wallet sees when it tries them. The wallet's own estimate counts when left out.
   */
  gas?: bigint
}

/** What became of a mined transaction. A reverted one is thrown, not returned. */
export type Receipt = { hash: string; blockNumber: bigint }

/** One call of a batch (EIP-5792). */
export type Call = { to?: string; value?: bigint; data?: `0x${string}` }

/** What became of a batch, in the words of EIP-5792. */
export type CallsStatus = {
  id: string
  status: 'pending' | 'confirmed' | 'failed' | 'reverted' | 'partly-reverted'
  atomic: boolean
  receipts: readonly Receipt[]
}

/** An asset as the wallet itself counts it (EIP-7811). */
export type WalletAsset = {
  /** Absent for the native currency. */
  address?: string
  balance: bigint
  type: 'ERC20' | 'NATIVE'
  metadata: { name: string; symbol: string; decimals: number; price: number; iconUrl: string }
}

/** A permission to grant or granted (ERC-7715), as the wallet writes it. */
export type Permission = Readonly<Record<string, unknown>>

/** What a wallet can do beyond single requests; each throws `request/not-allowed` when the wallet cannot. */
export type WalletCalls = {
  /** What the wallet can do on each chain (EIP-5792); empty when it does not say. */
  getCapabilities(
    connection: Connection,
    account: AccountId,
  ): Promise<Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>>
  /** Asks for a batch of calls in one consent. */
  sendCalls(
    connection: Connection,
    account: AccountId,
    batch: { calls: readonly Call[]; atomic?: boolean; capabilities?: Readonly<Record<string, unknown>> },
  ): Promise<{ id: string }>
  getCallsStatus(connection: Connection, id: string): Promise<CallsStatus>
  /** The assets that the wallet knows of (EIP-7811); undefined when it does not say, or says it wrongly [R5.5.2]. */
  getAssets(connection: Connection, account: AccountId): Promise<readonly WalletAsset[] | undefined>
  grantPermissions(connection: Connection, account: AccountId, permission: Permission): Promise<Permission>
  revokePermissions(connection: Connection, account: AccountId, context: string): Promise<void>
}

export type DiscoveryListener = (connector: Connector) => void

/**
 * All that is special about one chain family. Every implementation passes `describeAdapter` of
 * `@latchkey/core/testing`; nothing outside an adapter asks which namespace it deals with.
 */
export type Adapter = {
  readonly namespace: Namespace
  /** The family's name for people: `Ethereum`, `Solana`. */
  readonly name: string
  readonly networks: readonly [Network, ...Network[]]
  /** Whether a text has the form of an address of this family; its checksum is looked at before it is used. */
  isAddress(value: string): boolean
  /**
   * Finds the wallets that live in the page, now and later; returns what stops looking. Does nothing on a server.
   *
   * @param lost is told the id of a connector that was found and is there no more
   */
  discover?(found: DiscoveryListener, lost?: (connectorId: string) => void): () => void
  /** @throws LatchkeyError `rpc/unreachable`. */
  getBalance(network: Network, address: string): Promise<Balance>
  /** An address as a sign-in spells it, where wallets tell it in other forms too (EIP-55). */
  signInAddress?(address: string): Promise<string>
  /**
   * Asks the wallet to sign a text (EIP-191 in eip155).
   *
   * @returns the signature in the family's usual encoding.
   */
  signMessage(connection: Connection, account: AccountId, message: string): Promise<string>
  /** Checks a signature made by `signMessage`, contract wallets included. */
  verifyMessage(network: Network, address: string, message: string, signature: string): Promise<boolean>
  /** @returns the transaction's hash as soon as the wallet gave it. */
  sendTransaction(connection: Connection, account: AccountId, request: TransactionRequest): Promise<string>
  /**
   * Waits until a transaction is mined.
   *
   * @throws LatchkeyError `transaction/reverted` with the reason, `transaction/pending` after `timeout` milliseconds.
   */
  waitForReceipt(network: Network, hash: string, options: { timeout: number; signal?: AbortSignal }): Promise<Receipt>
  /**
   * Asks the wallet to use another network, adding it first when the wallet does not know it.
   *
   * @throws LatchkeyError `request/rejected`, `network/add-refused`, `network/switch-unsupported`.
   */
  switchNetwork(connection: Connection, network: Network): Promise<void>
  /** Where a block explorer shows an address or a transaction; undefined without an explorer. */
  explorerUrl(network: Network, what: { address: string } | { transaction: string }): string | undefined
  /** Calls that only some families have, loaded when one is first made; undefined where there are none. */
  walletCalls?(): Promise<WalletCalls>
  /** Moving assets, loaded when a visitor first wants to; undefined where the family's wallets cannot be asked to. */
  transfers?(): Promise<Transfers>
  /** What a server can tell or do about a network of this family; nothing when left out. See `supports`. */
  features?(network: Network): readonly Feature[]
  /** The network to show for a chain that the app did not configure. */
  unknownNetwork(chainId: ChainId): Network
}
