import { getField } from '@latchkey/protocol'
import { requestPolkadotRpc, type Chain } from '../chain/requestPolkadotRpc.ts'
import { loadRuntime, type Runtimes } from '../runtime/loadRuntime.ts'
import type { Inclusion } from './findInclusion.ts'

/** The storage of the events of a block: the hashes of the names `System` and `Events`. */
const eventsKey = '0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7'

/** The meaning of errors of transfers, in the words of other namespaces. */
const kinds: readonly (readonly [error: RegExp, kind: string])[] = [
  [
    /FundsUnavailable|NoFunds|NotExpendable|KeepAlive|LiquidityRestrictions|InsufficientBalance/,
    'insufficient balance',
  ],
  [/BelowMinimum|ExistentialDeposit/, 'dust'],
]

/**
 * Reads whether a transaction in a block did what it says.
 *
 * @returns undefined if it succeeded, otherwise the reason of its failure
 * @throws LatchkeyError `rpc/unreachable`, including if the nodes no longer have the events of the block
 */
export async function readDispatchOutcome(
  chain: Chain,
  runtimes: Runtimes,
  { block, index }: Inclusion,
): Promise<string | undefined> {
  const runtime = await loadRuntime(chain, runtimes, block.hash)
  const { name, value } = await requestPolkadotRpc(chain, {
    method: 'state_getStorage',
    params: [eventsKey, block.hash],
    parse(result) {
      const own = runtime.decodeEvents(String(result)).filter((event) => event.index === index)
      const last = own.findLast((event) => /^System\.Extrinsic(Success|Failed)$/.test(event.name))
      if (last === undefined) throw new Error('The block has no event of the transaction.')
      return last
    },
  })
  if (name === 'System.ExtrinsicSuccess') return undefined
  const error = runtime.describeError(getField(value, 'dispatch_error'))
  const [, kind] = kinds.find(([pattern]) => pattern.test(error)) ?? []
  return kind === undefined ? error : `${kind}: ${error}`
}
