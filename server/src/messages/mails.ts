import { serverMessages } from './generated/index.ts'

/** The subject and the plain text of a mail. */
export type MailText = { readonly subject: string; readonly text: string }

/** The origin, browser and time (milliseconds since 1970) of a request. */
type Requester = { readonly origin: string; readonly browser: string; readonly at: number }

const messages = serverMessages.english

/**
 * The mail with a one-time code. It has no login link. It names the requester, so that recipients who did not request
 * the code can tell.
 */
export function codeMail(code: string, requester: Requester): MailText {
  const { subject, text } = messages.codeMail
  return { subject: subject({ code }), text: text({ code, requestDetails: formatRequester(requester) }) }
}

/** The mail with the link that approves a new device. */
export function approvalMail(link: string, requester: Requester): MailText {
  const { subject, text } = messages.approvalMail
  return { subject, text: text({ link, requestDetails: formatRequester(requester) }) }
}

/** The mail to the old address after a change of address. It does not name the new address: the mailbox may belong to
 * another person by now. */
export function emailChangedMail(link: string): MailText {
  const { subject, text } = messages.emailChangedMail
  return { subject, text: text({ link }) }
}

/** The mail after the recovery phrase was shown. */
export function exportMail(): MailText {
  return messages.exportMail
}

/** The mail after a device was removed. */
export function deviceRemovedMail(): MailText {
  return messages.deviceRemovedMail
}

/**
 * The mail after a user asked to delete the wallet.
 *
 * @param at when it is deleted, in milliseconds since 1970
 */
export function deletionMail(link: string, at: number): MailText {
  const { subject, text } = messages.deletionMail
  return { subject, text: text({ link, time: formatUtcTime(at) }) }
}

/**
 * Formats a time to the minute, in UTC.
 *
 * @param at milliseconds since 1970
 * @example formatUtcTime(0) // '1970-01-01 00:00'
 */
export function formatUtcTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

function formatRequester({ origin, browser, at }: Requester): string {
  return messages.common.requestDetails({ origin, browser, time: formatUtcTime(at) })
}
