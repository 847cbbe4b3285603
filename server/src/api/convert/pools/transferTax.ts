import { concat, encodeAbiParameters } from 'viem'
import type { ChainRpc } from '../../../kit/chain/chainRpc.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Hex } from '../routeSource.ts'
import { millionths } from './leg.ts'
import { transferTaxCode } from './transferTaxCode.ts'

/** The share of a transfer that a token keeps, in millionths: of transfers out of a pool, and into one. */
export type TransferTax = { leaving: bigint; entering: bigint }

/** Reads the transfer taxes of tokens. Each token is measured in a pair. */
export type TransferTaxReader = (
  measured: readonly { token: Hex; pair: Hex }[],
) => Promise<ReadonlyMap<Hex, TransferTax>>

const parameters = [{ type: 'address' }, { type: 'address' }] as const
const limit = 5_000
/** Owners of tokens can change taxes, so they are cached briefly. In milliseconds. */
const ttl = 600_000

/** Creates a reader with a cache of ten minutes. Tokens that cannot be measured count as untaxed. */
export function createTransferTaxReader(rpc: ChainRpc, clock: Clock): TransferTaxReader {
  const known = new Map<string, { tax: TransferTax; until: number }>()

  return async (measured) => {
    const now = clock.now()
    const unknown = measured.filter(({ token }) => (known.get(token)?.until ?? 0) <= now)
    const responses = await rpc.tryBatch(
      unknown.map(({ token, pair }) => {
        const data = concat([transferTaxCode, encodeAbiParameters(parameters, [pair, token])])
        return ['eth_call', [{ data }, 'latest']] as const
      }),
    )
    if (known.size > limit) known.clear()
    const taxes = new Map<Hex, TransferTax>()
    for (const [index, { token }] of unknown.entries()) {
      const tax = parseTransferTax(responses[index])
      known.set(token, { tax, until: now + ttl })
      taxes.set(token, tax)
    }
    for (const { token } of measured) {
      const remembered = known.get(token)
      if (remembered !== undefined) taxes.set(token, remembered.tax)
    }
    return taxes
  }
}

function parseTransferTax(returned: unknown): TransferTax {
  const [, words] = (typeof returned === 'string' ? /^0x([0-9a-f]{192})$/i.exec(returned) : null) ?? []
  if (words === undefined) return { leaving: 0n, entering: 0n }
  const [sent = 0n, came = 0n, back = 0n] = [0, 64, 128].map((at) => BigInt(`0x${words.slice(at, at + 64)}`))
  return { leaving: receivedShare(sent, came), entering: receivedShare(came, back) }
}

/** Rounds up, because tokens round in their own favour. */
function receivedShare(given: bigint, arrived: bigint): bigint {
  if (given === 0n || arrived >= given) return 0n
  return ((given - arrived) * millionths + given - 1n) / given
}

/** Subtracts a tax from an amount. */
export function subtractTax(amount: bigint, tax: bigint): bigint {
  return amount - (amount * tax + millionths - 1n) / millionths
}
