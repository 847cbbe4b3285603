import type { FrameRpcRequest } from '@latchkey/protocol'
import type { Chain } from '../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../config.ts'
import type { WalletAccount } from '../services/services.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { Recipients } from './recipients.ts'
import type { Facts } from './facts.ts'

/** Who asks, and what was given to it. */
export type ApprovalContext = {
  /** The pinned origin of the page. */
  readonly origin: string
  /** The network that the page is on, CAIP-2. */
  readonly chainId: string
  /** The accounts that this page was given. */
  readonly accounts: readonly WalletAccount[]
  /** Aborted when the page gives the request up. */
  readonly signal?: AbortSignal
}

/** One request, read and ready to be shown. Nothing was signed yet. */
export type Approval = {
  /** All of the screen but who asks. */
  readonly facts: Omit<Facts, 'origin' | 'waiting'>
  /**
   * Signs, sends where that was asked, and answers as the family words it. Called once, after the visitor approved.
   *
   * @throws RpcError
   */
  carryOut(): Promise<unknown>
}

/** What reading a request may use. */
export type ReadingParts = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly holder: Pick<KeyHolder, 'sign'>
  readonly recipients: Recipients
  /** Milliseconds since the epoch. */
  now(): number
}

/** A request with what it is about, checked: the network is ours, and there is an account of its family. */
export type Asked = ApprovalContext & {
  readonly method: string
  readonly params: unknown
  readonly network: FrameNetwork
}

/**
 * Reads one method's requests: checks them against the session, asks the networks what has to be shown, and knows how to
 * carry them out. One for each method; those of smart accounts are passed in.
 *
 * @throws RpcError 4100 for an account that the page was not given, 4902 for another network, -32602 for what is malformed
 */
export type Reader = (asked: Asked, parts: ReadingParts) => Promise<Approval | undefined>

/** Takes a request of a page from its first check to its answer. */
export type Approve = (request: FrameRpcRequest, context: ApprovalContext) => Promise<unknown>
