import { refusals } from '../../chain/rpcError.ts'
import type { Reader, ReadingParts } from '../approval.ts'
import { accountOf, numberOf, readChainId } from '../asked.ts'
import type { Banner, Section } from '../facts.ts'
import { lookAlikes } from '../lookAlike.ts'
import { isRecord } from '../../services/ask.ts'
import { readCall, type Call } from './calls.ts'
import { isAddress, isHex, readQuantity } from './hex.ts'
import { makePlan, type Plan, type Wishes } from './plan.ts'
import { broadcast } from './broadcast.ts'
import { simulate } from './simulate.ts'
import { createTokens } from './tokens.ts'

/** A transaction as a page writes it, read. */
export type Wanted = {
  readonly from?: string
  readonly call: Call
  readonly wishes: Wishes
  readonly chainId?: string
  /** It would let a contract's code act as the account (EIP-7702). */
  readonly isDelegation: boolean
}

/** Reads `eth_sendTransaction`: what it does is asked of the network before the visitor is. */
export async function readSendTransaction(...[asked, parts]: Parameters<Reader>): ReturnType<Reader> {
  const { chain, recipients } = parts
  const { network, params } = asked
  const { from, call, wishes, chainId, isDelegation } = readWanted(params)
  const account = accountOf(asked, from)
  if (chainId !== undefined && chainId !== network.chainId) throw refusals.otherNetwork(chainId)
  if (isDelegation) return delegation(account, network, call)
  const native = network.nativeCurrency
  const tokens = createTokens(chain, network.chainId)
  const [read, plan, changes, alike] = await Promise.all([
    readCall(call, native, tokens),
    makePlan(chain, network.chainId, { from: account, call, wishes }),
    simulate({ chain, chainId: network.chainId, account, calls: [call], native, tokens }),
    recipients.list(),
  ])
  const { gas, maxFeePerGas, isDear } = plan
  const banners: readonly Banner[] = [
    ...read.banners,
    ...lookAlikes(read.receivers, [account, ...alike]),
    ...(changes.kind === 'fails' ? [changes] : []),
    ...(tokens.areOdd() ? [{ kind: 'oddText' } as const] : []),
    ...(isDear ? [{ kind: 'highFee' } as const] : []),
  ]
  const fee = { units: gas * maxFeePerGas, decimals: native.decimals, symbol: native.symbol }
  const sections = [{ rows: read.rows }, ...rawOf(call)]
  return {
    facts: { deed: read.deed, account, network, banners, sections, changes, fee },
    async carryOut() {
      const hash = await sign(parts, numberOf(network), call, plan).then((raw) =>
        broadcast(chain, network.chainId, raw),
      )
      await Promise.all(read.receivers.map((each) => recipients.add(each)))
      return hash
    },
  }
}

function sign({ holder }: ReadingParts, chainId: number, call: Call, plan: Plan): Promise<Uint8Array> {
  const { gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = plan
  const transaction = { chainId, nonce, ...call, gas, maxFeePerGas, maxPriorityFeePerGas }
  return holder.sign({ kind: 'evm-transaction', transaction })
}

/** Only shown: this wallet hands an account over to nobody. */
function delegation(
  account: string,
  network: Parameters<Reader>[0]['network'],
  call: Call,
): Awaited<ReturnType<Reader>> {
  const to: readonly Section[] =
    call.to === undefined ? [] : [{ rows: [{ label: 'to', value: { kind: 'address', address: call.to } }] }]
  return {
    facts: {
      deed: 'delegate',
      account,
      network,
      banners: [{ kind: 'delegation' }],
      sections: [...to, ...rawOf(call)],
      isRefused: true,
    },
    carryOut: () => Promise.reject(refusals.unsupported('delegations')),
  }
}

function rawOf({ data }: Call): readonly Section[] {
  return data === '0x'
    ? []
    : [{ title: 'raw', rows: [{ label: 'data', value: { kind: 'code', text: data } }], isFolded: true }]
}

/**
 * Reads the parameters of `eth_sendTransaction`.
 *
 * @throws RpcError -32602
 */
export function readWanted(params: unknown): Wanted {
  const [fields]: readonly unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(fields)) throw refusals.invalid('no transaction')
  const { from, to, chainId } = fields
  const data = fields['data'] ?? fields['input'] ?? '0x'
  if (from !== undefined && !isAddress(from)) throw refusals.invalid('from is no account')
  if (to !== undefined && to !== null && !isAddress(to)) throw refusals.invalid('to is no account')
  if (!isHex(data) || data.length % 2 === 1) throw refusals.invalid('data is not hexadecimal')
  if (!isAddress(to) && data === '0x') throw refusals.invalid('it goes nowhere and does nothing')
  const gasPrice = readQuantity(fields['gasPrice'], 'gasPrice')
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  return {
    from,
    call: { ...(isAddress(to) && { to }), value: readQuantity(fields['value'], 'value') ?? 0n, data },
    wishes: {
      gas: readQuantity(fields['gas'] ?? fields['gasLimit'], 'gas'),
      nonce: readQuantity(fields['nonce'], 'nonce'),
      maxFeePerGas: readQuantity(fields['maxFeePerGas'], 'maxFeePerGas') ?? gasPrice,
      maxPriorityFeePerGas: readQuantity(fields['maxPriorityFeePerGas'], 'maxPriorityFeePerGas') ?? gasPrice,
    },
    ...(isChain && { chainId: readChainId(chainId) }),
    isDelegation: fields['authorizationList'] !== undefined || /^0x0*4$/.test(String(fields['type'])),
  }
}
