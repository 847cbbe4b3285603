import type { Storage } from '@latchkey/core'
import { isUnknownRecord, tryParseJson } from '../../primitives/unknownRecord.ts'
import { detectPhone, type Phone } from './phone.ts'
import type { Session } from '../../session/session.ts'
import { formatRequestLink } from './walletLink.ts'

/** The storage keys in which the modal and other clients keep the wallet that the user opened by a link. */
const choiceKeys = ['@latchkey/deep_link', 'WALLETCONNECT_DEEPLINK_CHOICE'] as const

/**
 * Opens the wallet for a pending request, if the page runs on a phone and the user has opened a wallet by a link before.
 * Does nothing if the user scanned with another phone, or the wallet does not want it.
 */
export function openWallet(
  session: Session,
  id: number,
  storage: Storage,
  phone: Phone | undefined = detectPhone(),
): void {
  if (phone === undefined || session.sessionConfig?.disableDeepLink === true) return
  const choice = findChosenLink(storage)
  if (choice === undefined) return
  const { native, universal } = session.peer.redirect ?? {}
  const isKnown = native !== undefined || universal !== undefined
  const links = isKnown ? { native, universal } : { native: choice, universal: choice }
  const link = formatRequestLink(links, { id, topic: session.topic }, phone.system)
  if (link !== undefined) phone.open(link)
}

function findChosenLink(storage: Storage): string | undefined {
  for (const key of choiceKeys) {
    const choice = tryParseJson(storage.getItem(key) ?? '')
    if (isUnknownRecord(choice) && typeof choice.href === 'string') return choice.href
  }
  return undefined
}
