import { formatRequestLines, formatTime, isolate, type RequestFacts } from './formatRequest.ts'
import type { Locale } from './generated/index.ts'
import type { ServerWords } from './loadServerWords.ts'

/** The subject and the plain text of a mail, and the language of both. */
export type MailText = { readonly subject: string; readonly text: string; readonly language: Locale }

/** The purpose of a one-time code, which its mail names. */
export type CodeMailPurpose =
  | { readonly purpose: 'login' | 'update-secondary' | 'step-up-export' | 'step-up-delete' }
  | { readonly purpose: 'update-primary'; readonly newEmail: string }

/**
 * The mail with a one-time code. Subject and text name the purpose, so that a code for a change of address can't be
 * requested under the pretext of a login [C-02]. It has no login link. It names the requester, so that recipients who
 * did not request the code can see it.
 */
export function codeMail(words: ServerWords, code: string, facts: RequestFacts, purpose: CodeMailPurpose): MailText {
  const details = formatRequestLines(words, facts)
  const { locale: language } = words
  if (purpose.purpose === 'update-primary') {
    const { subject, text } = words.addressChangeMail
    const email = isolate(words, purpose.newEmail)
    return { language, subject: subject({ code }), text: text({ code, details, email }) }
  }
  const { subject, text } = {
    login: words.loginCodeMail,
    'update-secondary': words.newAddressMail,
    'step-up-export': words.exportCodeMail,
    'step-up-delete': words.deletionCodeMail,
  }[purpose.purpose]
  return { language, subject: subject({ code }), text: text({ code, details }) }
}

/** The mails with a link and the facts of the request. */
export type LinkMail = 'approvalMail' | 'contactConfirmationMail' | 'emailChangedMail' | 'newDeviceMail'

/**
 * A mail with a link: to approve a new device, to confirm the next contact of a wallet, to undo a change of address, or to remove a device that was enrolled.
 *
 * The mail about a changed address does not name the new one: the mailbox may belong to another person by now.
 */
export function linkMail(words: ServerWords, kind: LinkMail, link: string, facts: RequestFacts): MailText {
  const { subject, text } = words[kind]
  return { language: words.locale, subject, text: text({ link, details: formatRequestLines(words, facts) }) }
}

/** A mail about something that happened: the recovery phrase was shown, or a device was removed. */
export function noticeMail(
  words: ServerWords,
  kind: 'exportMail' | 'deviceRemovedMail',
  facts: RequestFacts,
): MailText {
  const { subject, text } = words[kind]
  return { language: words.locale, subject, text: text({ details: formatRequestLines(words, facts) }) }
}

/**
 * The mail to the address that approves new devices, before another one does.
 *
 * @param change the next address, the time from which it approves, and the link that stops the change
 */
export function contactChangeMail(
  words: ServerWords,
  { email, at, link }: { email: string; at: number; link: string },
  facts: RequestFacts,
): MailText {
  const { subject, text } = words.contactChangeMail
  const details = formatRequestLines(words, facts)
  const body = text({ email: isolate(words, email), time: formatTime(words, at), link, details })
  return { language: words.locale, subject, text: body }
}

/**
 * The mail before the signing policy of a wallet is loosened.
 *
 * @param at when the looser policy takes effect, in milliseconds since 1970
 */
export function policyMail(words: ServerWords, link: string, at: number, facts: RequestFacts): MailText {
  const { subject, text } = words.policyMail
  const details = formatRequestLines(words, facts)
  return { language: words.locale, subject, text: text({ link, time: formatTime(words, at), details }) }
}

/**
 * The mail after a user asked to delete the wallet, and the second notice some days before that happens.
 *
 * @param at when it is deleted, in milliseconds since 1970
 */
export function deletionMail(
  words: ServerWords,
  link: string,
  at: number,
  facts: RequestFacts,
  notice: 'first' | 'second',
): MailText {
  const { subject, reminder, text } = words.deletionMail
  const details = formatRequestLines(words, facts)
  return {
    language: words.locale,
    subject: notice === 'first' ? subject : reminder,
    text: text({ link, time: formatTime(words, at), details }),
  }
}
