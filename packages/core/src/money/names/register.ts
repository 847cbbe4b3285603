import type { AccountId } from '@latchkey/protocol'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getActiveConnection, type ActiveConnection } from '../../state/connectedWallets.ts'
import { supports } from '../../network/supports.ts'
import { nameError } from './nameError.ts'
import { cacheName, listNames } from './listNames.ts'
import { isName } from './isName.ts'
import { postNameMessage } from './postNameMessage.ts'
import { readZones } from './zones.ts'

/** The registration in progress of each account. */
const pendingRegistrations = defineFeature(() => new Map<AccountId, Running>())

/**
 * Registers a name for the active account, which signs the registration. Repeated calls send a single request to the
 * wallet.
 *
 * @param label the name without its suffix
 * @returns the full name, with its suffix
 * @throws LatchkeyError `connection/not-connected`, `name/unsupported`, `name/invalid`, `name/owned`, `name/taken`,
 *   `name/late`, `name/too-many`, `name/refused`, and what signing and asking the server throw: `request/rejected`, ….
 * @example const name = await registerName(latchkey, 'alice') // 'alice.latchkey.example'
 */
export async function registerName(latchkey: Latchkey, label: string): Promise<string> {
  const connection = getActiveConnection(latchkey)
  const { account } = connection.state
  const running = getFeature(latchkey, pendingRegistrations)
  const present = running.get(account)
  if (present?.label === label) return present.name
  // Registrations run one after another, because an account has one name.
  const name = Promise.resolve(present?.name)
    .catch(() => undefined)
    .then(() => registerLabel(latchkey, label, connection))
  const begun = { label, name }
  running.set(account, begun)
  try {
    return await name
  } finally {
    if (running.get(account) === begun) running.delete(account)
  }
}

/** A registration in progress. */
type Running = { readonly label: string; readonly name: Promise<string> }

async function registerLabel(latchkey: Latchkey, label: string, connection: ActiveConnection): Promise<string> {
  const { account } = connection.state
  if (!supports(latchkey, 'names', connection.network)) throw nameError('name/unsupported', {})
  if (!isName(label)) throw nameError('name/invalid', { name: label })
  const response = await readZones(latchkey)
  const [zone] = response.zones
  if (zone === undefined) throw nameError('name/unsupported', {})
  const [owned] = await listNames(latchkey, account)
  if (owned !== undefined) throw nameError('name/owned', { name: owned })
  const name = `${label.toLowerCase()}.${zone}`
  const content = { name, attributes: {} }
  await postNameMessage(latchkey, { name, path: '/v1/profile/account', content }, connection)
  cacheName(latchkey, account, name)
  return name
}
