import { formatAccountId, parseAccountId } from '@latchkey/protocol'
import { getIdentity } from '../../actions/getIdentity.ts'
import type { Latchkey } from '../../latchkey.ts'
import { resolveAccountName } from '../names/resolve.ts'
import type { ReceiverNote } from '../transfers.ts'
import { refreshFee } from './fee.ts'
import { findSimilar, isKnownReceiver } from './knownReceivers.ts'
import type { SendNote } from './payment.ts'
import { ask, askLater } from './questions.ts'
import { isUnderWay, patchSend, payerOf, sendState, type Payer } from './state.ts'
import { transfersOf } from './transfersOf.ts'

/** After the last key [R9.1.6]. */
const quietMilliseconds = 500

/** A name has a dot inside, and is no longer than any name service allows. */
const nameForm = /^[^\s.][^\s]*\.[^\s.]+$/u
const nameLength = 255

/** Takes the receiver as it is entered: an address, a name, or anything on the way to one. */
export function setReceiver(latchkey: Latchkey, receiver: string): void {
  if (isUnderWay(latchkey)) return
  const isLatest = ask(latchkey, 'receiver')
  const entry = receiver.trim()
  const payer = payerOf(latchkey)
  const isAddress = payer.adapter.isAddress(entry)
  const isName = !isAddress && entry.length <= nameLength && nameForm.test(entry)
  patchSend(latchkey, {
    receiver,
    receiverAddress: undefined,
    receiverName: undefined,
    receiverImage: undefined,
    notes: [],
    similarTo: undefined,
    resolving: isAddress || isName,
  })
  if (isAddress) void take(latchkey, payer, { address: entry, isLatest })
  if (isName) askLater(latchkey, 'receiver', quietMilliseconds, () => void look(latchkey, payer, entry, isLatest))
}

/**
 * The address behind a name, on the active network: a name of the server's first, then one of the family's own service.
 *
 * @returns false when there is none, or when it cannot be told [R5.6.2]
 * @example await resolveName(latchkey, 'visitor.eth')
 */
export async function resolveName(latchkey: Latchkey, name: string): Promise<string | false> {
  try {
    const { adapter, network } = payerOf(latchkey)
    const own = await resolveAccountName(latchkey, name)
    if (own !== false) return own
    const transfers = await adapter.transfers?.()
    return (await transfers?.resolveName?.(network, name)) ?? false
  } catch {
    return false
  }
}

/** The question of a name may be overtaken by what is typed next. */
async function look(latchkey: Latchkey, payer: Payer, name: string, isLatest: () => boolean): Promise<void> {
  const address = await resolveName(latchkey, name)
  if (!isLatest()) return
  if (address === false) return void patchSend(latchkey, { resolving: false })
  patchSend(latchkey, { receiverName: name })
  await take(latchkey, payer, { address, isLatest })
}

/** Takes an address for the receiver's once it was looked at, and then finds out who that is. */
async function take(
  latchkey: Latchkey,
  payer: Payer,
  { address, isLatest }: { address: string; isLatest: () => boolean },
): Promise<void> {
  const found = await inspect(latchkey, payer, address)
  if (!isLatest()) return
  patchSend(latchkey, { ...found, receiverAddress: address, resolving: false })
  if (found.notes.includes('invalid')) return
  void refreshFee(latchkey)
  const { receiverName } = sendState(latchkey).getState()
  const who = await identify(latchkey, payer, address)
  if (isLatest()) patchSend(latchkey, { receiverName: receiverName ?? who.name, receiverImage: who.avatar })
}

/** Looks at the receiver once more, as another token is to be sent. */
export function inspectAgain(latchkey: Latchkey): void {
  const { receiverAddress: address } = sendState(latchkey).getState()
  if (address === undefined) return
  void take(latchkey, payerOf(latchkey), { address, isLatest: ask(latchkey, 'receiver') })
}

/** What the chain tells of a receiver, and what was done here before. A chain that keeps silent warns of nothing. */
async function inspect(
  latchkey: Latchkey,
  payer: Payer,
  to: string,
): Promise<{ notes: readonly SendNote[]; similarTo: string | undefined }> {
  const { token } = sendState(latchkey).getState()
  const { symbol, decimals } = payer.network.nativeCurrency
  const asset = token?.asset ?? { symbol, decimals }
  const told = await transfersOf(payer)
    .then((transfers) => transfers.inspectReceiver(payer.network, { from: payer.from, to, asset }))
    .catch((): readonly ReceiverNote[] => [])
  const similarTo = findSimilar(latchkey, payer.from, to)
  const similar: readonly SendNote[] = similarTo === undefined ? [] : ['similar']
  const known = isKnownReceiver(latchkey, payer.from, to) || told.includes('oneself')
  return { notes: [...similar, ...told, ...(known ? [] : (['first-time'] as const))], similarTo }
}

/** The name and picture of an address, where somebody knows them. */
async function identify(
  latchkey: Latchkey,
  payer: Payer,
  address: string,
): Promise<{ name?: string; avatar?: string }> {
  const { network, adapter, chainId } = payer
  const account = formatAccountId({ chainId, address })
  const identity = await getIdentity(latchkey, account).catch(() => ({}))
  if ('name' in identity) return identity
  const transfers = await adapter.transfers?.()
  const name = await transfers?.lookUpName?.(network, parseAccountId(account).address).catch(() => false as const)
  return { ...identity, ...(typeof name === 'string' ? { name } : {}) }
}
