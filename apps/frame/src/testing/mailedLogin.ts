import type { LocalMail } from '@latchkey/devnet'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'

type Mail = Pick<LocalMail, 'received' | 'waitFor'>

/**
 * Opens the link of the next mail to an address, and enters the digits that the browser shows.
 *
 * @param after id of a mail; only later ones are opened
 * @returns the id of the mail
 */
export async function approveByMail(
  mail: Mail,
  email: string,
  after: number,
  match: string | undefined,
): Promise<number> {
  const { id, text } = await mail.waitFor(email, after)
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? '')
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  const { status } = await fetch(link.origin + link.pathname, { method: 'POST', body })
  if (status !== 200) throw new Error(`The link of the mail was refused with status ${status}.`)
  return id
}

/**
 * Logs in with a mailed code, after an approval by mail if the browser is new.
 *
 * @returns the user, and if the approval was needed
 */
export async function logInByMail(
  mail: Mail,
  holder: KeyHolder,
  request: Parameters<KeyHolder['sendCode']>[0],
): Promise<{ user: HolderUser; wasApproved: boolean }> {
  let latest = mail.received()[0]?.id ?? 0
  const { action, match } = await holder.sendCode(request)
  const wasApproved = action === 'VERIFY_DEVICE'
  if (wasApproved) {
    latest = await approveByMail(mail, request.email, latest, match)
    await holder.awaitDevice()
  }
  const { text } = await mail.waitFor(request.email, latest)
  const result = await holder.redeem(/\b\d{6}\b/.exec(text)?.[0] ?? '')
  if (!('user' in result)) throw new Error(`The login needs more than a code: ${JSON.stringify(result)}`)
  return { user: result.user, wasApproved }
}
