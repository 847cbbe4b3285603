import type { AccountId, ChainId, Namespace, Network } from '@latchkey/protocol'
import type { Connection, Connector } from './connector.ts'
import type { Approvals } from '../money/approvals/approvals.ts'
import type { Transfers } from '../money/transfers.ts'
import type { SmartContracts } from './smartContracts.ts'
import type { Abi } from 'abitype'

/** A capability of a network. */
export type Feature = 'balances' | 'nfts' | 'history' | 'swaps' | 'names' | 'onramp' | 'send' | 'receive'

/** An amount of a network's native currency. */
export type Balance = {
  /** Base units: wei, lamports, satoshis. */
  value: bigint
  decimals: number
  symbol: string
}

/** A payment or contract call in any namespace. An adapter rejects fields that it does not support. */
export type TransactionRequest = {
  to: string
  /** Base units of the native currency. */
  value?: bigint
  /** Call data, in namespaces with contract calls. */
  data?: `0x${string}`
  /**
   * The gas limit, in namespaces that have one. Set it for calls that may use more gas in a later block than the wallet
   * estimates. Defaults to the wallet's estimate.
   */
  gas?: bigint
}

/** A mined transaction. A reverted one is thrown instead. */
export type Receipt = { hash: string; blockNumber: bigint }

/** Options of a wait for a transaction. `abi` describes the errors of the contract, for the reason of a revert. */
export type ReceiptOptions = { timeout: number; signal?: AbortSignal; abi?: Abi | readonly unknown[] }

/** One call of a batch (EIP-5792). */
export type Call = { to?: string; value?: bigint; data?: `0x${string}` }

/** The status of a batch, in the terms of EIP-5792. */
export type CallsStatus = {
  id: string
  status: 'pending' | 'confirmed' | 'failed' | 'reverted' | 'partly-reverted'
  atomic: boolean
  receipts: readonly Receipt[]
}

/** An asset that the wallet reports (EIP-7811). */
export type WalletAsset = {
  /** Absent for the native currency. */
  address?: string
  balance: bigint
  type: 'ERC20' | 'NATIVE'
  metadata: { name: string; symbol: string; decimals: number; price: number; iconUrl: string }
}

/** A requested or granted permission (ERC-7715), in the wallet's format. */
export type Permission = Readonly<Record<string, unknown>>

/** Wallet methods beyond single requests. Each throws `request/not-allowed` if the wallet does not support it. */
export type WalletCalls = {
  /** Returns the capabilities of the wallet on each chain (EIP-5792), or an empty object if it reports none. */
  getCapabilities(
    connection: Connection,
    account: AccountId,
  ): Promise<Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>>
  /** Requests a batch of calls with one approval. */
  sendCalls(
    connection: Connection,
    account: AccountId,
    batch: { calls: readonly Call[]; atomic?: boolean; capabilities?: Readonly<Record<string, unknown>> },
  ): Promise<{ id: string }>
  getCallsStatus(connection: Connection, id: string): Promise<CallsStatus>
  /**
   * Returns the assets that the wallet reports (EIP-7811), or undefined if it reports none or sends an invalid response
   * [R5.5.2].
   */
  getAssets(connection: Connection, account: AccountId): Promise<readonly WalletAsset[] | undefined>
  grantPermissions(connection: Connection, account: AccountId, permission: Permission): Promise<Permission>
  revokePermissions(connection: Connection, account: AccountId, context: string): Promise<void>
}

export type DiscoveryListener = (connector: Connector) => void

/**
 * The code of one namespace. Every implementation passes `describeAdapter` of `@latchkey/core/testing`. Code outside
 * adapters never depends on the namespace.
 */
export type Adapter = {
  readonly namespace: Namespace
  /** The display name of the namespace: `Ethereum`, `Solana`. */
  readonly name: string
  readonly networks: readonly [Network, ...Network[]]
  /**
   * True if a string has the form of an address of this namespace. The checksum is verified before the address is used.
   */
  isAddress(value: string): boolean
  /**
   * Discovers the wallets of the page, now and later. Does nothing on a server.
   *
   * @param lost receives the id of a discovered connector that disappeared
   * @returns a function that stops the discovery
   */
  discover?(found: DiscoveryListener, lost?: (connectorId: string) => void): () => void
  /** @throws LatchkeyError `rpc/unreachable`. */
  getBalance(network: Network, address: string): Promise<Balance>
  /** Returns an address in the form that sign-in messages use, for namespaces with several forms (EIP-55). */
  signInAddress?(address: string): Promise<string>
  /**
   * Asks the wallet to sign a message (EIP-191 in eip155).
   *
   * @returns the signature in the usual encoding of the namespace
   */
  signMessage(connection: Connection, account: AccountId, message: string): Promise<string>
  /** Verifies a signature of `signMessage`, including those of contract wallets. */
  verifyMessage(network: Network, address: string, message: string, signature: string): Promise<boolean>
  /** @returns the hash of the transaction as soon as the wallet sent it */
  sendTransaction(connection: Connection, account: AccountId, request: TransactionRequest): Promise<string>
  /** False if `sendTransaction` always refuses, because the adapter can't compose a payment. True by default. */
  readonly canSendTransactions?: boolean
  /**
   * Waits until a transaction is mined, `timeout` milliseconds at most.
   *
   * @throws LatchkeyError `transaction/reverted` with the reason, `transaction/pending` after `timeout` milliseconds.
   */
  waitForReceipt(network: Network, hash: string, options: ReceiptOptions): Promise<Receipt>
  /**
   * Switches the wallet to another network, and adds the network first if the wallet does not know it.
   *
   * @throws LatchkeyError `request/rejected`, `network/add-refused`, `network/switch-unsupported`.
   */
  switchNetwork(connection: Connection, network: Network): Promise<void>
  /** Returns the page of a block explorer for an address or a transaction, or undefined without an explorer. */
  explorerUrl(network: Network, what: { address: string } | { transaction: string }): string | undefined
  /** Loads wallet methods that only some namespaces have. Undefined in other namespaces. */
  walletCalls?(): Promise<WalletCalls>
  /** Loads the code for transfers. Undefined if wallets of the namespace don't accept transfers. */
  transfers?(): Promise<Transfers>
  /** Loads the code for smart contracts. Undefined in namespaces without ABIs. */
  smartContracts?(): Promise<SmartContracts>
  /** Loads the code for approvals. Undefined in namespaces where tokens have none. */
  approvals?(): Promise<Approvals>
  /** The features that a server provides for a network of this namespace. Defaults to none. See `supports`. */
  features?(network: Network): readonly Feature[]
  /** Returns the network to show for a chain that the app did not configure. */
  unknownNetwork(chainId: ChainId): Network
}
