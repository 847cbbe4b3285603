import type { Hex } from 'viem'
import type { Approval, Asked, ReadingParts } from '../approve/approval.ts'
import { readCall, type Call, type CallFacts } from '../approve/evm/calls.ts'
import { simulate } from '../approve/evm/simulate.ts'
import { createTokens } from '../approve/evm/tokens.ts'
import type { Banner, Section } from '../approve/facts.ts'
import { lookAlikes } from '../approve/lookAlike.ts'
import { refusals } from '../chain/rpcError.ts'
import type { Opened } from './openAccount.ts'
import { planOperation, sendOperation, type Planned } from './operations.ts'

/** What is to be done, and what the page is answered once it was sent. */
export type Deed = { readonly calls: readonly Call[]; answer(hash: Hex): Promise<unknown> }

/** Nobody's network asks as much for gas; a node or a bundler that lies does. In wei. */
const dearest = 5_000n * 10n ** 9n

/** Reads calls of a smart account: what they do, what they cost and who pays, before the visitor is asked. */
export async function readOperation(
  asked: Asked,
  { chain, recipients, config }: ReadingParts & { readonly config: { readonly server?: string } },
  opened: Opened,
  { calls, answer }: Deed,
): Promise<Approval> {
  if (calls.some(({ to }) => to === undefined)) throw refusals.unsupported('creating a contract with a smart account')
  const { network } = asked
  const { address } = opened.account
  const { nativeCurrency: native, chainId } = network
  const tokens = createTokens(chain, chainId)
  const [reads, planned, changes, alike] = await Promise.all([
    Promise.all(calls.map((call) => readCall(call, native, tokens))),
    planOperation(opened, calls),
    simulate({ chain, chainId, account: address, calls, native, tokens }),
    recipients.list(),
  ])
  const receivers = reads.flatMap((each) => each.receivers)
  const banners: readonly Banner[] = [
    // What the account does to itself may change whose it is.
    ...(calls.some(({ to }) => to?.toLowerCase() === address.toLowerCase()) ? [{ kind: 'handsOver' } as const] : []),
    ...reads.flatMap((each) => each.banners),
    ...lookAlikes(receivers, [address, ...alike]),
    ...(changes.kind === 'fails' ? [changes] : []),
    ...(tokens.areOdd() ? [{ kind: 'oddText' } as const] : []),
    ...(planned.operation.maxFeePerGas > dearest ? [{ kind: 'highFee' } as const] : []),
  ]
  const [first] = reads
  return {
    facts: {
      deed: reads.length === 1 && first !== undefined ? first.deed : 'transactions',
      account: address,
      network,
      banners,
      sections: sectionsOf(reads, calls, planned, config.server),
      changes,
      ...(planned.isSponsored ? {} : { fee: { units: planned.fee, decimals: native.decimals, symbol: native.symbol } }),
    },
    async carryOut() {
      const hash = await sendOperation(opened, calls, planned)
      await Promise.all(receivers.map((each) => recipients.add(each)))
      return answer(hash)
    },
  }
}

function sectionsOf(
  reads: readonly CallFacts[],
  calls: readonly Call[],
  { isSponsored }: Planned,
  server: string | undefined,
): readonly Section[] {
  const isOne = reads.length === 1
  const steps: readonly Section[] = reads.map(({ rows }) => (isOne ? { rows } : { title: 'step', rows }))
  const payer: readonly Section[] =
    isSponsored && server !== undefined
      ? [{ rows: [{ label: 'sponsor', value: { kind: 'text', text: new URL(server).host } }] }]
      : []
  const raw = calls.flatMap(({ data }, index) =>
    data === '0x' ? [] : [{ label: 'data', count: index + 1, value: { kind: 'code', text: data } } as const],
  )
  return [...steps, ...payer, ...(raw.length === 0 ? [] : [{ title: 'raw', rows: raw, isFolded: true } as const])]
}
