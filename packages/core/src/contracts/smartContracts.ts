import type { AccountId, Network } from '@latchkey/protocol'
import type { Abi } from 'abitype'
import type { Connection } from './connector.ts'

/** A call of a contract function, before it is encoded. */
export type ContractCall = {
  /** The interface of the contract. */
  readonly abi: Abi | readonly unknown[]
  readonly address: string
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** A call of a contract function that changes the chain. */
export type ContractWrite = ContractCall & {
  /** Base units of the native currency to pay. */
  readonly value?: bigint
  /** The gas limit. With a limit, the call is not simulated before the wallet is asked. */
  readonly gas?: bigint
}

/** The outcome of one call of several. */
export type ContractCallResult<result = unknown> =
  | { readonly status: 'success'; readonly result: result; readonly error?: undefined }
  | { readonly status: 'failure'; readonly error: unknown; readonly result?: undefined }

/** Structured data to sign (EIP-712). */
export type StructuredData = {
  readonly domain?: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, unknown>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** Calls of smart contracts, in namespaces with ABIs (Solidity). */
export type SmartContracts = {
  /**
   * Reads from a contract.
   *
   * @returns the decoded result: a single value, or a list if the function returns several
   * @throws LatchkeyError `contract/call-invalid`, `contract/reverted`, `contract/not-found`, `rpc/unreachable`
   */
  read(network: Network, call: ContractCall): Promise<unknown>
  /** Reads several values at the same block, in one request if the network has Multicall3. */
  readMany(network: Network, calls: readonly ContractCall[]): Promise<readonly ContractCallResult[]>
  /**
   * Simulates a call, then asks the wallet to send it.
   *
   * @returns the hash of the transaction
   * @throws LatchkeyError `contract/call-invalid`, `contract/reverted`, `request/rejected`
   */
  write(connection: Connection, account: AccountId, network: Network, call: ContractWrite): Promise<string>
  /** Asks the wallet to sign structured data (EIP-712). */
  signTypedData(connection: Connection, account: AccountId, data: StructuredData): Promise<string>
}
