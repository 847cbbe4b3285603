import { formatAccountId, parseAccountId } from '@latchkey/protocol'
import { getIdentity } from '../../account/getIdentity.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { resolveAccountName } from '../names/resolve.ts'
import type { ReceiverNote } from '../transfers.ts'
import { refreshFee } from './fee.ts'
import { findSimilar, isKnownReceiver, learnReceivers } from './knownReceivers.ts'
import { findContactName, listContacts } from './receiverBook.ts'
import type { SendNote } from './sendState.ts'
import { beginRequest, scheduleRequest } from './requests.ts'
import { isSending, patchSend, payerOf, sendState, type Payer } from './state.ts'
import { getTransfers } from './getTransfers.ts'
import { isInvalidReceiver } from './validateSend.ts'

/** The delay after the last keystroke [R9.1.6]. */
const quietMilliseconds = 500

/** True if a string may be a name: it contains a dot, and is not longer than name services allow. */
const nameForm = /^[^\s.][^\s]*\.[^\s.]+$/u
const nameLength = 255

/**
 * Sets the recipient as entered: an address or a name. Incomplete entries are allowed.
 *
 * @example setReceiver(latchkey, 'alice.eth')
 */
export function setReceiver(latchkey: Latchkey, receiver: string): void {
  if (isSending(latchkey)) return
  const isLatest = beginRequest(latchkey, 'receiver')
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
    linkProblem: undefined,
    resolving: isAddress || isName,
  })
  if (isAddress) void applyReceiver(latchkey, payer, { address: entry, isLatest })
  if (isName)
    scheduleRequest(
      latchkey,
      'receiver',
      quietMilliseconds,
      () => void resolveReceiver(latchkey, payer, entry, isLatest),
    )
}

/**
 * Resolves a name to an address on the active network: first at the server, then with the name service of the
 * namespace.
 *
 * @returns false if it does not resolve or can't be looked up [R5.6.2]
 * @example await resolveName(latchkey, 'user.eth')
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

/** Resolves an entered name. The result is dropped if the entry has changed since. */
async function resolveReceiver(latchkey: Latchkey, payer: Payer, name: string, isLatest: () => boolean): Promise<void> {
  const address = await resolveName(latchkey, name)
  if (!isLatest()) return
  if (address === false) return void patchSend(latchkey, { resolving: false })
  patchSend(latchkey, { receiverName: name })
  await applyReceiver(latchkey, payer, { address, isLatest })
}

/** Sets the recipient's address after the checks, and then looks up its name and picture. */
async function applyReceiver(
  latchkey: Latchkey,
  payer: Payer,
  { address, isLatest }: { address: string; isLatest: () => boolean },
): Promise<void> {
  const found = await inspect(latchkey, payer, address)
  if (!isLatest()) return
  patchSend(latchkey, { ...found, receiverAddress: address, resolving: false })
  if (found.notes.some(isInvalidReceiver)) return
  void refreshFee(latchkey)
  const { receiverName = findContactName(latchkey, address) } = sendState(latchkey).getState()
  patchSend(latchkey, { receiverName })
  const who = await identify(latchkey, payer, address)
  if (isLatest()) patchSend(latchkey, { receiverName: receiverName ?? who.name, receiverImage: who.avatar })
}

/** Checks the recipient again after the token changed. */
export function inspectAgain(latchkey: Latchkey): void {
  const { receiverAddress: address } = sendState(latchkey).getState()
  if (address === undefined) return
  void applyReceiver(latchkey, payerOf(latchkey), { address, isLatest: beginRequest(latchkey, 'receiver') })
}

/**
 * Collects notes about a recipient from the chain, from previous payments and from the address book. A chain that does
 * not respond adds none.
 */
async function inspect(
  latchkey: Latchkey,
  payer: Payer,
  to: string,
): Promise<{ notes: readonly SendNote[]; similarTo: string | undefined }> {
  const { token } = sendState(latchkey).getState()
  const { symbol, decimals } = payer.network.nativeCurrency
  const asset = token?.asset ?? { symbol, decimals }
  const [chainNotes] = await Promise.all([
    getTransfers(payer)
      .then((transfers) => transfers.inspectReceiver(payer.network, { from: payer.from, to, asset }))
      .catch((): readonly ReceiverNote[] => []),
    learnReceivers(latchkey, payer),
  ])
  const contacts = listContacts(latchkey).map(({ address }) => address)
  const similarTo = findSimilar(latchkey, payer.from, to, contacts)
  const similar: readonly SendNote[] = similarTo === undefined ? [] : ['similar']
  const isSaved = findContactName(latchkey, to) !== undefined
  const known = isSaved || isKnownReceiver(latchkey, payer.from, to) || chainNotes.includes('oneself')
  return { notes: [...similar, ...chainNotes, ...(known ? [] : (['first-time'] as const))], similarTo }
}

/** Returns the name and picture of an address, if they are known. */
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
