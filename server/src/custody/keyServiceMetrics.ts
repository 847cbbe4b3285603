import { Registry } from 'prom-client'
import { createTally } from '../kit/metrics/createTally.ts'
import { auditEvents, type AuditEvent } from './auditLog.ts'
import { socialProviders } from './identity/socialProviders.ts'
import type { Mailer } from './mail/mailer.ts'

/** Counts the work of a key service. No label has an address, a user or a key. */
export type KeyServiceMetrics = {
  /** Counts an event of the audit log. @param provider the identity provider of a login; undefined for e-mail */
  countEvent(event: AuditEvent, provider: string | undefined): void
  /** Counts the mails that a mailer sends. */
  countMails(mailer: Mailer): Mailer
}

/**
 * Creates the counters of a key service.
 *
 * @param service starts their names, because one process may run both services
 */
export function createKeyServiceMetrics(
  service: 'auth' | 'shares',
  registry: Registry = new Registry(),
): KeyServiceMetrics {
  const events = createTally(registry, {
    name: `latchkey_${service}_events_total`,
    help: 'Events of accounts, refused attempts included.',
    label: 'event',
    keys: auditEvents,
  })
  // The share store has no logins.
  const logins =
    service === 'shares'
      ? undefined
      : createTally(registry, {
          name: 'latchkey_auth_logins_total',
          help: 'Logins by method.',
          label: 'method',
          keys: ['email', ...socialProviders, 'farcaster'],
        })
  const mails = createTally(registry, {
    name: `latchkey_${service}_mails_total`,
    help: 'Mails by result: accepted by the mail system, or failed.',
    label: 'result',
    keys: ['accepted', 'failed'],
  })
  return {
    countEvent(event, provider) {
      events.add(event)
      if (event === 'login') logins?.add(provider ?? 'email')
    },
    countMails: (mailer) => ({
      ...mailer,
      async send(mail) {
        try {
          await mailer.send(mail)
          mails.add('accepted')
        } catch (error) {
          mails.add('failed')
          throw error
        }
      },
    }),
  }
}
