import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { getAccount } from '../../state/wallet.ts'
import { supports } from '../../supports.ts'
import { readOptions, readProviders } from './answers.ts'
import { asBuyError, buyError } from './buyError.ts'
import { requestBuyQuote } from './quoting.ts'
import { closedBuy, deskOf, type BuyState } from './state.ts'

/**
 * Whether buying is offered to this visitor, on the network of the active account: the app wants it, the network is one
 * that coins have a price on, and the visitor's time zone is none of those where it may not be sold [R9.4.5].
 */
export function mayBuy(latchkey: Latchkey): boolean {
  return supports(latchkey, 'onramp')
}

/**
 * Begins a purchase on the network that the account is on: reads who sells what for which money. What was chosen before
 * for the same account and network stays.
 *
 * @throws never: the store says `failed`, with the error.
 * @example await openBuy(latchkey)
 */
export async function openBuy(latchkey: Latchkey): Promise<void> {
  const desk = deskOf(latchkey)
  const { store } = desk
  const account = getAccount(latchkey)
  if (account.status !== 'connected') return fail(latchkey, new LatchkeyError('connection/not-connected', {}))
  const { caipNetworkId: chainId, name: network } = account.network
  const before = store.getState()
  const isSame = before.account === account.account && before.chainId === chainId
  if (isSame && (before.status === 'open' || before.status === 'loading')) return
  forgetBuy(latchkey)
  if (!mayBuy(latchkey)) return fail(latchkey, buyError('buy/unsupported', { network }))
  store.setState({ ...closedBuy, status: 'loading', account: account.account, chainId }, true)
  const { turn } = desk
  try {
    const offer = await readOffer(latchkey, chainId)
    if (desk.turn !== turn) return
    if (offer === undefined) return fail(latchkey, buyError('buy/unsupported', { network }))
    store.setState({ ...store.getState(), ...offer, status: 'open' }, true)
  } catch (error) {
    if (desk.turn === turn) fail(latchkey, asBuyError(error))
  }
}

/** Forgets what was chosen. A purchase that was begun goes on with its provider. */
export function forgetBuy(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  desk.turn += 1
  desk.asking?.abort()
  desk.stopWaiting()
  desk.store.setState(closedBuy, true)
}

/** Chooses another provider, which may sell other things for other money. */
export async function chooseProvider(latchkey: Latchkey, id: string): Promise<void> {
  const desk = deskOf(latchkey)
  const { chainId, provider } = desk.store.getState()
  if (chainId === undefined || id === provider) return
  desk.turn += 1
  const { turn } = desk
  desk.store.setState({ provider: id, quote: { status: 'none' } })
  try {
    const choice = await readChoice(latchkey, id, chainId)
    if (desk.turn !== turn) return
    desk.store.setState(keepChosen(desk.store.getState(), choice))
    requestBuyQuote(latchkey)
  } catch (error) {
    if (desk.turn === turn) desk.store.setState({ quote: { status: 'failed', error: asBuyError(error) } })
  }
}

type Choice = Pick<BuyState, 'payments' | 'purchases'>

/** Who sells on a chain, and what the first of them sells; undefined when nobody does. */
async function readOffer(latchkey: Latchkey, chainId: ChainId): Promise<Partial<BuyState> | undefined> {
  const all = readProviders(await ask(latchkey, serverUrl(latchkey, '/v1/onramp/providers')))
  const providers = all.filter(({ chains }) => chains.includes(chainId))
  const [first] = providers
  if (first === undefined) return undefined
  const choice = await readChoice(latchkey, first.id, chainId)
  if (choice.payments.length === 0 || choice.purchases.length === 0) return undefined
  return { providers, provider: first.id, ...keepChosen(closedBuy, choice) }
}

async function readChoice(latchkey: Latchkey, provider: string, chainId: ChainId): Promise<Choice> {
  return readOptions(await ask(latchkey, serverUrl(latchkey, '/v1/onramp/options', { provider })), chainId)
}

/** What was chosen before stays where it is still there. */
function keepChosen({ payment, purchase }: BuyState, { payments, purchases }: Choice): Partial<BuyState> {
  const kept = payments.find(({ id }) => id === payment) ?? payments[0]
  const wanted = purchases.find(({ id }) => id === purchase) ?? purchases[0]
  return { payments, purchases, payment: kept?.id, purchase: wanted?.id }
}

function fail(latchkey: Latchkey, error: LatchkeyError): void {
  deskOf(latchkey).store.setState({ ...closedBuy, status: 'failed', error }, true)
}
