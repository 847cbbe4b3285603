import { parseChainId, type HistoryPage, type TokenBalance } from '@latchkey/protocol'
import type { Hex } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Provider } from '../../kit/provider.ts'
import { Problem } from '../../kit/problem.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import type { HistorySource } from '../history/historySource.ts'
import { createAskProvider, ProviderSilent, type AskProvider } from './askProvider.ts'
import { blockscoutBalances, blockscoutPage } from './blockscout.ts'
import { etherscanPage } from './etherscan.ts'
import { goldrushBalances, goldrushPage } from './goldrush.ts'
import { itemOf, type Told } from './told.ts'

const tellBalances: readonly Provider['kind'][] = ['blockscout', 'goldrush']
const tellHistory: readonly Provider['kind'][] = ['blockscout', 'etherscan', 'goldrush']

/** All of them know chains of one family alone. */
function providersOf(
  { caipNetworkId, providers = [] }: Chain,
  kinds: readonly Provider['kind'][],
): readonly Provider[] {
  const isKnown = parseChainId(caipNetworkId).namespace === 'eip155'
  return isKnown ? providers.filter(({ kind }) => kinds.includes(kind)) : []
}

/** Balances from providers, in the operator's order: the first that tells is believed. */
export function createProviderBalances(clock: Clock): BalanceSource {
  const ask = createAskProvider(clock)
  return {
    covers: (chain) => providersOf(chain, tellBalances).length > 0,
    balances: (chain, address) =>
      firstOf(providersOf(chain, tellBalances), (provider) => askBalances(ask, provider, chain, address)),
  }
}

/** Histories from providers. A page goes on where it began: each writes its places in its own way. */
export function createProviderHistory(clock: Clock): HistorySource {
  const ask = createAskProvider(clock)
  return {
    covers: (chain) => providersOf(chain, tellHistory).length > 0,
    async page({ chains: [chain], address, cursor, size }) {
      if (chain === undefined) return { data: [], next: null }
      const all = providersOf(chain, tellHistory)
      const [, number, place] = /^(\d):(.*)$/.exec(cursor ?? '') ?? []
      const able = number === undefined ? all : all.filter((_, index) => index === Number(number))
      const page = firstOf(able, async (provider) => {
        const { told, next } = await askHistory(ask, provider, chain, { address, cursor: place, size })
        const account: Hex = `0x${address.slice(2).toLowerCase()}`
        const data = told.map((each) => itemOf(chain, account, each))
        return { data, next: next === null ? null : `${all.indexOf(provider)}:${next}` } satisfies HistoryPage
      })
      return page.catch((cause: unknown) => {
        throw new Problem(503, 'chainId', 'The history of this chain cannot be told now.', { cause })
      })
    },
  }
}

async function firstOf<told>(
  providers: readonly Provider[],
  ask: (provider: Provider) => Promise<told>,
): Promise<told> {
  const silent: unknown[] = []
  for (const provider of providers) {
    try {
      return await ask(provider)
    } catch (error) {
      if (!(error instanceof ProviderSilent)) throw error
      silent.push(error.message)
    }
  }
  throw new ProviderSilent(silent.join(' '))
}

function askBalances(
  ask: AskProvider,
  provider: Provider,
  chain: Chain,
  address: string,
): Promise<readonly TokenBalance[]> {
  return provider.kind === 'blockscout'
    ? blockscoutBalances(ask, provider, chain, address)
    : goldrushBalances(ask, provider, chain, address)
}

async function askHistory(
  ask: AskProvider,
  provider: Provider,
  chain: Chain,
  question: { address: string; cursor: string | undefined; size: number },
): Promise<{ told: readonly Told[]; next: string | null }> {
  if (provider.kind === 'goldrush') return goldrushPage(ask, provider, question)
  const { told, before } =
    provider.kind === 'etherscan'
      ? await etherscanPage(ask, provider, chain, question)
      : await blockscoutPage(ask, provider, question)
  return { told, next: before === null ? null : String(before) }
}
