import { concat, encodeAbiParameters } from 'viem'
import type { ChainRpc } from '../../../kit/chainRpc.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Hex } from '../routeSource.ts'
import { million } from './leg.ts'
import { transferTaxCode } from './transferTaxCode.ts'

/** What a token keeps of a transfer, in millionths: of what comes out of a pool, and of what goes into one. */
export type TransferTax = { leaving: bigint; entering: bigint }

/** Tells what tokens keep of transfers, by the pair that each is measured in. */
export type TaxReader = (measured: readonly { token: Hex; pair: Hex }[]) => Promise<ReadonlyMap<Hex, TransferTax>>

const parameters = [{ type: 'address' }, { type: 'address' }] as const
const limit = 5_000
/** Taxes are changed by whoever owns the token, in milliseconds. */
const ttl = 600_000

/** Makes a reader that remembers for ten minutes. A token that cannot be measured is taken to keep nothing. */
export function createTaxReader(rpc: ChainRpc, clock: Clock): TaxReader {
  const known = new Map<string, { tax: TransferTax; until: number }>()

  return async (measured) => {
    const now = clock.now()
    const unknown = measured.filter(({ token }) => (known.get(token)?.until ?? 0) <= now)
    const answers = await rpc.tryAll(
      unknown.map(({ token, pair }) => {
        const data = concat([transferTaxCode, encodeAbiParameters(parameters, [pair, token])])
        return ['eth_call', [{ data }, 'latest']] as const
      }),
    )
    if (known.size > limit) known.clear()
    const taxes = new Map<Hex, TransferTax>()
    for (const [index, { token }] of unknown.entries()) {
      const tax = readTax(answers[index])
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

function readTax(returned: unknown): TransferTax {
  const [, words] = (typeof returned === 'string' ? /^0x([0-9a-f]{192})$/i.exec(returned) : null) ?? []
  if (words === undefined) return { leaving: 0n, entering: 0n }
  const [sent = 0n, came = 0n, back = 0n] = [0, 64, 128].map((at) => BigInt(`0x${words.slice(at, at + 64)}`))
  return { leaving: partKept(sent, came), entering: partKept(came, back) }
}

/** Rounded up: a token rounds in its own favour. */
function partKept(given: bigint, arrived: bigint): bigint {
  if (given === 0n || arrived >= given) return 0n
  return ((given - arrived) * million + given - 1n) / given
}

/** What is left of an amount. */
export function taxed(amount: bigint, tax: bigint): bigint {
  return amount - (amount * tax + million - 1n) / million
}
