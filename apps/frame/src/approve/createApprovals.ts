import { classifyMethod } from '@latchkey/protocol'
import { rpcErrors } from '../chain/rpcError.ts'
import type { Stage } from '../screens/stage/stage.ts'
import { listLimitedAssets } from '../screens/policy/limitedAssets.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { Approve, CheckedRequest, Approval, Reader, ReaderDependencies } from './approval.ts'
import { approvalScreen } from './approvalScreen.ts'
import { checkRequest } from './checkRequest.ts'
import { evmReaders } from './evm/evmReaders.ts'
import { solanaReaders } from './solana/solanaReaders.ts'

export type { ApprovalContext, Approve, Reader, ReaderDependencies } from './approval.ts'
export { createRecipients } from './recipients.ts'

export type ApprovalsDependencies = ReaderDependencies & {
  readonly holder: Pick<KeyHolder, 'sign' | 'exceededRule'>
  readonly stage: Stage
  /** Texts in the current language. */
  messages(): Messages
  /** Readers of smart accounts. They come first. `undefined` from one passes the request to the wallet's own reader. */
  readonly readers?: Readonly<Record<string, Reader>>
}

const own: Readonly<Record<string, Reader>> = { ...evmReaders, ...solanaReaders }

/**
 * Creates the approval of signing requests. Each request is validated, shown with its effects, and carried out only
 * after Approve.
 *
 * @returns a function that throws RpcError 4001 'User rejected the request' on rejection, 4100, 4902, 4200, -32602 and
 *   the errors of the networks
 * @example const approve = createApprovals({ config, chain, holder, recipients, stage, messages: () => messages, now:
 *   Date.now })
 * const signature = await approve({ method: 'personal_sign', params }, { origin, chainId, accounts, signal })
 */
export function createApprovals(dependencies: ApprovalsDependencies): Approve {
  const { stage, messages, readers = {}, config, holder } = dependencies
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  async function readRequest(checked: CheckedRequest): Promise<Approval> {
    const approval = await (findReader(readers, checked)?.(checked, dependencies) ?? undefined)
    const found = approval ?? (await findReader(own, checked)?.(checked, dependencies))
    if (found === undefined) throw rpcErrors.unsupported(checked.method)
    return found
  }

  async function runApproval(checked: CheckedRequest): Promise<unknown> {
    const { origin, signal } = checked
    if (signal?.aborted === true) throw rpcErrors.rejected()
    const { facts, execute, signs = [] } = await readRequest(checked)
    // Without a response, the screen shows no rule, and the signature is refused if one applies.
    const exceeded = await holder.exceededRule(signs).catch(() => undefined)
    const limit = exceeded && { ...exceeded, assets: listLimitedAssets(config.networks) }
    const shown = { ...facts, origin, waiting: waiting - 1, ...(limit && { limit }) }
    const response = await stage.show(approvalScreen(shown, messages()), { signal })
    if (facts.isRefused === true) return execute()
    if (response !== 'approved') throw rpcErrors.rejected()
    return execute()
  }

  return async (request, context) => {
    if (classifyMethod(request.method) !== 'unsafe') throw rpcErrors.notAllowed()
    const checked = checkRequest(request, context, config.networks)
    waiting += 1
    // Sequential: a transaction changes the effects and the nonce of the next one.
    const turn = last.then(() => runApproval(checked)).finally(() => (waiting -= 1))
    last = turn.catch(() => undefined)
    return waitUntilAborted(turn, context.signal)
  }
}

/** Rejects at once when the page cancels, even while another request is shown. */
function waitUntilAborted(turn: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return turn
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(rpcErrors.rejected())
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    void turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function findReader(readers: Readonly<Record<string, Reader>>, { method }: CheckedRequest): Reader | undefined {
  return Object.hasOwn(readers, method) ? readers[method] : undefined
}
