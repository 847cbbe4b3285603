import { type ChainId, type LatchkeyError, connectionError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { accountStateOf } from '../../state/getAccount.ts'
import { supports } from '../../network/supports.ts'
import { parseBuyOptions, parseBuyProviders } from './parseBuyQuote.ts'
import { toBuyError, buyError } from './buyError.ts'
import { requestBuyQuote } from './buyQuotes.ts'
import { isSameChoice } from './getBestProvider.ts'
import { closedBuy, buySessionOf, type BuyChoice, type BuyState } from './state.ts'

/**
 * True if buying is offered on the network of the active account: the app enables it, the network is a mainnet, and
 * the user's time zone is not restricted [R9.4.5].
 */
export function canBuy(latchkey: Latchkey): boolean {
  return supports(latchkey, 'onramp')
}

/**
 * Opens the purchase form for the current network: loads providers and currencies. Earlier choices for the same account
 * and network are kept.
 *
 * @throws never; the state becomes `failed` with the error
 * @example await openBuy(latchkey)
 */
export async function openBuy(latchkey: Latchkey): Promise<void> {
  const session = buySessionOf(latchkey)
  const { store } = session
  const account = accountStateOf(latchkey)
  if (account.status !== 'connected') return failBuy(latchkey, connectionError('connection/not-connected', {}))
  const { caipNetworkId: chainId, name: network } = account.network
  const before = store.getState()
  const isSame = before.account === account.account && before.chainId === chainId
  if (isSame && (before.status === 'open' || before.status === 'loading')) return
  resetBuy(latchkey)
  if (!canBuy(latchkey)) return failBuy(latchkey, buyError('buy/unsupported', { network }))
  store.setState({ ...closedBuy, status: 'loading', account: account.account, chainId }, true)
  const { generation } = session
  try {
    const offer = await readOffer(latchkey, chainId)
    if (session.generation !== generation) return
    if (offer === undefined) return failBuy(latchkey, buyError('buy/unsupported', { network }))
    for (const [id, choice] of offer.choices) session.choices.set(id, choice)
    store.setState({ ...store.getState(), ...offer.form, status: 'open' }, true)
  } catch (error) {
    if (session.generation === generation) failBuy(latchkey, toBuyError(error))
  }
}

/** Resets the form. A started purchase continues at its provider. */
export function resetBuy(latchkey: Latchkey): void {
  const session = buySessionOf(latchkey)
  session.generation += 1
  session.asking?.abort()
  session.stopWaiting()
  session.choices.clear()
  session.store.setState(closedBuy, true)
}

/**
 * Selects another provider, which may offer other currencies. Its quote stays if it is for the same choice.
 *
 * @example await chooseProvider(latchkey, 'coinbase')
 */
export async function chooseProvider(latchkey: Latchkey, id: string): Promise<void> {
  const session = buySessionOf(latchkey)
  const before = session.store.getState()
  const { chainId } = before
  if (chainId === undefined || id === before.provider) return
  session.generation += 1
  const { generation } = session
  const quote = before.offers[id] ?? { status: 'none' }
  session.store.setState({ provider: id, quote })
  try {
    const choice = session.choices.get(id) ?? (await readChoice(latchkey, id, chainId))
    if (session.generation !== generation) return
    session.choices.set(id, choice)
    session.store.setState(filterChosen(session.store.getState(), choice))
    const isQuoted = quote.status === 'ready' || quote.status === 'waiting'
    if (!isQuoted || !isSameChoice(before, session.store.getState())) requestBuyQuote(latchkey)
  } catch (error) {
    if (session.generation === generation)
      session.store.setState({ quote: { status: 'failed', error: toBuyError(error) } })
  }
}

/** Returns the providers of a chain with the offer of the first one, or undefined if there are none. */
async function readOffer(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  chainId: ChainId,
): Promise<{ form: Partial<BuyState>; choices: readonly (readonly [string, BuyChoice])[] } | undefined> {
  const all = parseBuyProviders(await fetchJson(latchkey, serverUrl(latchkey, '/v1/onramp/providers')))
  const providers = all.filter(({ chains }) => chains.includes(chainId))
  const [first, ...others] = providers
  if (first === undefined) return undefined
  const [choice, ...rest] = await Promise.all([
    readChoice(latchkey, first.id, chainId),
    // Other providers are compared if their currencies can be read.
    ...others.map(({ id }) =>
      readChoice(latchkey, id, chainId).then(
        (found) => [[id, found] as const],
        () => [],
      ),
    ),
  ])
  if (choice.payments.length === 0 || choice.purchases.length === 0) return undefined
  const form = { providers, provider: first.id, ...filterChosen(closedBuy, choice) }
  return { form, choices: [[first.id, choice], ...rest.flat()] }
}

async function readChoice(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  provider: string,
  chainId: ChainId,
): Promise<BuyChoice> {
  return parseBuyOptions(await fetchJson(latchkey, serverUrl(latchkey, '/v1/onramp/options', { provider })), chainId)
}

/** Keeps the previous choice if it is still available. */
function filterChosen({ payment, purchase }: BuyState, { payments, purchases }: BuyChoice): Partial<BuyState> {
  const kept = payments.find(({ id }) => id === payment) ?? payments[0]
  const wanted = purchases.find(({ id }) => id === purchase) ?? purchases[0]
  return { payments, purchases, payment: kept?.id, purchase: wanted?.id }
}

function failBuy(latchkey: Latchkey, error: LatchkeyError): void {
  buySessionOf(latchkey).store.setState({ ...closedBuy, status: 'failed', error }, true)
}
