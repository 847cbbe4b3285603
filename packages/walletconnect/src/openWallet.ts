import type { Storage } from '@latchkey/core'
import { isRecord, parseJson } from './parse.ts'
import { thisPhone, type Phone } from './phone.ts'
import type { Session } from './session.ts'
import { requestLink } from './walletLink.ts'

/** Where the modal, and other clients of the protocol, remember which wallet a visitor opened by its link. */
const choiceKeys = ['@latchkey/deep_link', 'WALLETCONNECT_DEEPLINK_CHOICE'] as const

/**
 * Opens the wallet for a request that waits there, on a phone where the visitor has opened a wallet by its link before.
 * Whoever scanned with another phone, or whose wallet does not want it, stays where he is.
 */
export function openWallet(
  session: Session,
  id: number,
  storage: Storage,
  phone: Phone | undefined = thisPhone(),
): void {
  if (phone === undefined || session.sessionConfig?.disableDeepLink === true) return
  const choice = chosenLink(storage)
  if (choice === undefined) return
  const { native, universal } = session.peer.redirect ?? {}
  const isKnown = native !== undefined || universal !== undefined
  const links = isKnown ? { native, universal } : { native: choice, universal: choice }
  const link = requestLink(links, { id, topic: session.topic }, phone.system)
  if (link !== undefined) phone.open(link)
}

function chosenLink(storage: Storage): string | undefined {
  for (const key of choiceKeys) {
    const choice = parseJson(storage.getItem(key) ?? '')
    if (isRecord(choice) && typeof choice.href === 'string') return choice.href
  }
  return undefined
}
