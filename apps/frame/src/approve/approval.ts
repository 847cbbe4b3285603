import type { FrameRpcRequest } from '@latchkey/protocol'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../frameConfig.ts'
import type { WalletAccount } from '../services/shareStore.ts'
import type { KeyHolder, SignRequest } from '../worker/keyHolder.ts'
import type { Recipients } from './recipients.ts'
import type { ApprovalFacts } from './approvalFacts.ts'

/** The page that sends a request, and its grants. */
export type ApprovalContext = {
  /** Pinned origin of the page. */
  readonly origin: string
  /** Active network of the page, CAIP-2. */
  readonly chainId: string
  /** Accounts granted to the page. */
  readonly accounts: readonly WalletAccount[]
  /** Aborts when the page cancels the request. */
  readonly signal?: AbortSignal
}

/** A parsed request, ready to be shown. Nothing is signed yet. */
export type Approval = {
  /** Content of the approval screen, without the page. */
  readonly facts: Omit<ApprovalFacts, 'origin' | 'waiting' | 'limit'>
  /**
   * Signs, sends if requested, and returns the namespace's response. Called once, after the approval.
   *
   * @throws RpcError
   */
  execute(): Promise<unknown>
  /** Requests that `execute` signs. They decide which rule of the signing policy the screen shows, and nothing else. */
  readonly signs?: readonly SignRequest[]
}

/** Dependencies of the request readers. */
export type ReaderDependencies = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly holder: Pick<KeyHolder, 'sign'>
  readonly recipients: Recipients
  /** Milliseconds since the epoch. */
  now(): number
}

/** A validated request: the network is supported and has an account of the wallet. */
export type CheckedRequest = ApprovalContext & {
  readonly method: string
  readonly params: unknown
  readonly network: FrameNetwork
}

/**
 * Parses the requests of one method: checks them against the grant, collects what has to be shown, and executes them.
 * The readers of smart accounts are passed in.
 *
 * @throws RpcError 4100 for an account that was not granted, 4902 for another network, -32602 for malformed parameters
 */
export type Reader = (checked: CheckedRequest, dependencies: ReaderDependencies) => Promise<Approval | undefined>

/** Handles a signing request of a page from validation to response. */
export type Approve = (request: FrameRpcRequest, context: ApprovalContext) => Promise<unknown>
