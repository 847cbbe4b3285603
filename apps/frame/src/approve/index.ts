import { classifyMethod } from '@latchkey/protocol'
import { refusals } from '../chain/rpcError.ts'
import type { Stage } from '../screens/stage.ts'
import type { Words } from '../words/words.ts'
import type { Approve, Asked, Approval, Reader, ReadingParts } from './approval.ts'
import { approvalScreen } from './approvalScreen.ts'
import { askedOf } from './asked.ts'
import { evmReaders } from './evm/readers.ts'
import { solanaReaders } from './solana/readers.ts'

export type { ApprovalContext, Approve, Reader, ReadingParts } from './approval.ts'
export { createRecipients } from './recipients.ts'

export type ApprovalsParts = ReadingParts & {
  readonly stage: Stage
  /** In the language of the moment. */
  words(): Words
  /** Those of smart accounts; asked first, and undefined lets the wallet's own one read. */
  readonly readers?: Readonly<Record<string, Reader>>
}

const own: Readonly<Record<string, Reader>> = { ...evmReaders, ...solanaReaders }

/**
 * Makes what asks the visitor. Each request is checked against what the page was given, shown on a screen of its own with
 * what it would do, and carried out only after Approve.
 *
 * @returns (later) throws RpcError 4001 'User rejected the request' when it was turned away in any way, 4100, 4902, 4200,
 *   -32602, and what the networks say
 * @example const approve = createApprovals({ config, chain, holder, recipients, stage, words: () => words, now: Date.now })
 *   const signature = await approve({ method: 'personal_sign', params }, { origin, chainId, accounts, signal })
 */
export function createApprovals(parts: ApprovalsParts): Approve {
  const { stage, words, readers = {}, config } = parts
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  async function read(asked: Asked): Promise<Approval> {
    const approval = await (find(readers, asked)?.(asked, parts) ?? undefined)
    const found = approval ?? (await find(own, asked)?.(asked, parts))
    if (found === undefined) throw refusals.unsupported(asked.method)
    return found
  }

  async function carryThrough(asked: Asked): Promise<unknown> {
    const { origin, signal } = asked
    if (signal?.aborted === true) throw refusals.rejected()
    const { facts, carryOut } = await read(asked)
    const shown = { ...facts, origin, waiting: waiting - 1 }
    const answer = await stage.show(approvalScreen(shown, words()), { signal })
    if (facts.isRefused === true) return carryOut()
    if (answer !== 'approved') throw refusals.rejected()
    return carryOut()
  }

  return async (request, context) => {
    if (classifyMethod(request.method) !== 'unsafe') throw refusals.notAllowed()
    const asked = askedOf(request, context, config.networks)
    waiting += 1
    // What one does changes what the next one would do, and the number that its transaction has.
    const turn = last.then(() => carryThrough(asked)).finally(() => (waiting -= 1))
    last = turn.catch(() => undefined)
    return untilAborted(turn, context.signal)
  }
}

/** A page that gives a request up is told at once, also while another one is shown. */
function untilAborted(turn: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return turn
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(refusals.rejected())
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    void turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function find(readers: Readonly<Record<string, Reader>>, { method }: Asked): Reader | undefined {
  return Object.hasOwn(readers, method) ? readers[method] : undefined
}
