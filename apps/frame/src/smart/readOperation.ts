import type { Hex } from 'viem'
import type { Approval, CheckedRequest, ReaderDependencies } from '../approve/approval.ts'
import { describeCall, type Call, type CallDescription } from '../approve/evm/describeCall.ts'
import { simulateCalls } from '../approve/evm/simulateCalls.ts'
import { createTokens } from '../approve/evm/tokens.ts'
import { changeBanners, receiversOf } from '../approve/evm/changeBanners.ts'
import { uniqueBanners } from '../approve/evm/uniqueBanners.ts'
import type { Section } from '../approve/approvalFacts.ts'
import { findLookAlikes } from '../approve/findLookAlikes.ts'
import { rpcErrors } from '../chain/rpcError.ts'
import { chainNumberOf } from '../approve/checkRequest.ts'
import { operationRequest } from './smartAccount.ts'
import type { OpenSmartAccount } from './smartAccounts.ts'
import { planOperation, sendOperation, type PlannedOperation } from './planOperation.ts'

/** The calls, and the page's response once they were sent. */
export type OperationRequest = { readonly calls: readonly Call[]; respond(hash: Hex): Promise<unknown> }

/** Higher prices come from a faulty or malicious node or bundler. In wei. */
const maxPlausibleFee = 5_000n * 10n ** 9n

/** Describes the calls of a smart account before the user is asked: effects, cost and payer. */
export async function readOperation(
  checked: CheckedRequest,
  { chain, recipients, config }: ReaderDependencies & { readonly config: { readonly server?: string } },
  opened: OpenSmartAccount,
  { calls, respond }: OperationRequest,
): Promise<Approval> {
  if (calls.some(({ to }) => to === undefined)) throw rpcErrors.unsupported('creating a contract with a smart account')
  const { network } = checked
  const { address } = opened.account
  const { nativeCurrency: native, chainId } = network
  const tokens = createTokens(chain, chainId)
  const [reads, planned, changes, alike] = await Promise.all([
    Promise.all(calls.map((call) => describeCall(call, native, tokens))),
    planOperation(opened, calls),
    simulateCalls({ chain, chainId, account: address, calls, native, tokens }),
    recipients.list(),
  ])
  const receivers = reads.flatMap((each) => each.receivers)
  const banners = uniqueBanners([
    // A call to the account itself may change its owner.
    ...(calls.some(({ to }) => to?.toLowerCase() === address.toLowerCase()) ? [{ kind: 'delegates' } as const] : []),
    ...reads.flatMap((each) => each.banners),
    ...changeBanners(changes),
    ...findLookAlikes(receiversOf(receivers, changes), [address, ...alike]),
    ...(tokens.hasSuspiciousName() ? [{ kind: 'oddText' } as const] : []),
    ...(planned.operation.maxFeePerGas > maxPlausibleFee ? [{ kind: 'highFee' } as const] : []),
  ])
  const [first] = reads
  return {
    facts: {
      action: reads.length === 1 && first !== undefined ? first.action : 'transactions',
      account: address,
      network,
      banners,
      sections: sectionsOf(reads, calls, planned, config.server),
      changes,
      ...(planned.isSponsored ? {} : { fee: { units: planned.fee, decimals: native.decimals, symbol: native.symbol } }),
    },
    signs: [operationRequest({ ...planned.operation, sender: address }, signingPlace(opened))],
    async execute() {
      const hash = await sendOperation(opened, calls, planned)
      await Promise.all(receivers.map((each) => recipients.add(each)))
      return respond(hash)
    },
  }
}

function signingPlace({ account, network }: OpenSmartAccount) {
  return { chainId: chainNumberOf(network), entryPoint: account.entryPoint.address }
}

function sectionsOf(
  reads: readonly CallDescription[],
  calls: readonly Call[],
  { isSponsored }: PlannedOperation,
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
