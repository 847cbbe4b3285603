import { formatUnits } from 'viem'
import type { Tokens } from '../../approve/evm/tokens.ts'
import type { Row, Section } from '../../approve/approvalFacts.ts'
import type { Allowance, PermissionPolicy } from './permissionRequest.ts'

type DisplayOptions = {
  readonly network: { readonly nativeCurrency: { readonly symbol: string; readonly decimals: number } }
  readonly tokens: Tokens
}

/** Describes the limits of a policy for the approval screen: one section per permission. */
export async function policySections(
  bounds: PermissionPolicy,
  { network, tokens }: DisplayOptions,
): Promise<readonly Section[]> {
  const { native, tokens: allowed, calls } = bounds
  const sections: Section[] = []
  const { decimals, symbol } = network.nativeCurrency
  if (native !== undefined) sections.push({ rows: [limitRow(native, decimals, symbol)] })
  for (const token of allowed) {
    const facts = await tokens.of(token.address)
    const row: Row = { label: 'token', value: { kind: 'address', address: token.address, name: facts.symbol } }
    sections.push({ rows: [row, limitRow(token, facts.decimals ?? 0, facts.symbol ?? '')] })
  }
  for (const { address, functions, most } of calls) {
    sections.push({
      rows: [
        { label: 'contract', value: { kind: 'address', address } },
        ...functions.map(({ name, selector }): Row => ({
          label: 'function',
          value: { kind: 'code', text: `${name} ${selector}` },
        })),
        { label: 'limit', value: { kind: 'amount', amount: { units: most, decimals, symbol } } },
      ],
    })
  }
  return sections
}

/** Formats the limit per period without words. */
function limitRow({ most, period }: Allowance, decimals: number, symbol: string): Row {
  return {
    label: 'limit',
    value: { kind: 'text', text: `${formatUnits(most, decimals)} ${symbol} / ${formatPeriod(period)}` },
  }
}

function formatPeriod(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  return seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds} s`
}
