import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { Reader } from '../approval.ts'
import { getApprovedAccount, chainNumberOf, toCaipChainId } from '../checkRequest.ts'
import type { Section } from '../approvalFacts.ts'
import { findLookAlikes } from '../findLookAlikes.ts'
import { describeCall, type Call } from './describeCall.ts'
import { isAddress, isHex, parseQuantity } from './parseQuantity.ts'
import { planTransaction, type TransactionPlan, type RequestedGas } from './planTransaction.ts'
import { broadcastTransaction } from './broadcastTransaction.ts'
import { simulateCalls } from './simulateCalls.ts'
import { createTokens } from './tokens.ts'
import { changeBanners, receiversOf } from './changeBanners.ts'
import { uniqueBanners } from './uniqueBanners.ts'
import type { SignRequest } from '../../worker/keyHolder.ts'

/** A parsed transaction request. */
export type TransactionRequest = {
  readonly from?: string
  readonly call: Call
  readonly wishes: RequestedGas
  readonly chainId?: string
  /** True for a delegation: a contract's code would act as the account (EIP-7702). */
  readonly isDelegation: boolean
}

/** Reads `eth_sendTransaction` and collects its effects from the network before the user is asked. */
export async function readSendTransaction(...[checked, dependencies]: Parameters<Reader>): ReturnType<Reader> {
  const { chain, recipients } = dependencies
  const { network, params } = checked
  const { from, call, wishes, chainId, isDelegation } = parseTransactionRequest(params)
  const account = getApprovedAccount(checked, from)
  if (chainId !== undefined && chainId !== network.chainId) throw rpcErrors.otherNetwork(chainId)
  if (isDelegation) return delegationApproval(account, network, call)
  const native = network.nativeCurrency
  const tokens = createTokens(chain, network.chainId)
  const [read, plan, changes, alike] = await Promise.all([
    describeCall(call, native, tokens),
    planTransaction(chain, network.chainId, { from: account, call, wishes }),
    simulateCalls({ chain, chainId: network.chainId, account, calls: [call], native, tokens }),
    recipients.list(),
  ])
  const { gas, maxFeePerGas, isExcessive } = plan
  const banners = uniqueBanners([
    ...read.banners,
    ...changeBanners(changes),
    ...findLookAlikes(receiversOf(read.receivers, changes), [account, ...alike]),
    ...(tokens.hasSuspiciousName() ? [{ kind: 'oddText' } as const] : []),
    ...(isExcessive ? [{ kind: 'highFee' } as const] : []),
  ])
  const fee = { units: gas * maxFeePerGas, decimals: native.decimals, symbol: native.symbol }
  const sections = [{ rows: read.rows }, ...rawDataSection(call)]
  const request = toSignRequest(chainNumberOf(network), call, plan)
  return {
    facts: { action: read.action, account, network, banners, sections, changes, fee },
    signs: [request],
    async execute() {
      const hash = await broadcastTransaction(chain, network.chainId, await dependencies.holder.sign(request))
      await Promise.all(read.receivers.map((each) => recipients.add(each)))
      return hash
    },
  }
}

function toSignRequest(chainId: number, call: Call, plan: TransactionPlan): SignRequest {
  const { gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = plan
  const transaction = { chainId, nonce, ...call, gas, maxFeePerGas, maxPriorityFeePerGas }
  return { kind: 'evm-transaction', transaction }
}

/** Shown but never signed: this wallet delegates no account. */
function delegationApproval(
  account: string,
  network: Parameters<Reader>[0]['network'],
  call: Call,
): Awaited<ReturnType<Reader>> {
  const to: readonly Section[] =
    call.to === undefined ? [] : [{ rows: [{ label: 'to', value: { kind: 'address', address: call.to } }] }]
  return {
    facts: {
      action: 'delegate',
      account,
      network,
      banners: [{ kind: 'delegation' }],
      sections: [...to, ...rawDataSection(call)],
      isRefused: true,
    },
    execute: () => Promise.reject(rpcErrors.unsupported('delegations')),
  }
}

function rawDataSection({ data }: Call): readonly Section[] {
  return data === '0x'
    ? []
    : [{ title: 'raw', rows: [{ label: 'data', value: { kind: 'code', text: data } }], isFolded: true }]
}

/**
 * Parses the parameters of `eth_sendTransaction`.
 *
 * @throws RpcError -32602
 */
export function parseTransactionRequest(params: unknown): TransactionRequest {
  const [fields]: readonly unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(fields)) throw rpcErrors.invalid('the transaction is missing')
  const { from, to, chainId } = fields
  const data = fields['data'] ?? fields['input'] ?? '0x'
  if (from !== undefined && !isAddress(from)) throw rpcErrors.invalid('from is not an address')
  if (to !== undefined && to !== null && !isAddress(to)) throw rpcErrors.invalid('to is not an address')
  if (!isHex(data) || data.length % 2 === 1) throw rpcErrors.invalid('data is not hexadecimal')
  if (!isAddress(to) && data === '0x') throw rpcErrors.invalid('the transaction has no receiver and no data')
  const gasPrice = parseQuantity(fields['gasPrice'], 'gasPrice')
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  return {
    from,
    call: { ...(isAddress(to) && { to }), value: parseQuantity(fields['value'], 'value') ?? 0n, data },
    wishes: {
      gas: parseQuantity(fields['gas'] ?? fields['gasLimit'], 'gas'),
      nonce: parseQuantity(fields['nonce'], 'nonce'),
      maxFeePerGas: parseQuantity(fields['maxFeePerGas'], 'maxFeePerGas') ?? gasPrice,
      maxPriorityFeePerGas: parseQuantity(fields['maxPriorityFeePerGas'], 'maxPriorityFeePerGas') ?? gasPrice,
    },
    ...(isChain && { chainId: toCaipChainId(chainId) }),
    isDelegation: fields['authorizationList'] !== undefined || /^0x0*4$/.test(String(fields['type'])),
  }
}
