const minuteMs = 60_000

/** The limits on mail that an operator may set. */
export type MailLimits = {
  /** Least time between two mails of one kind to one address, in milliseconds. Default: half a minute. [R9.1.1] */
  readonly intervalMs?: number
  /** Mails that one client address may request in an hour, to any addresses. Default: 20. */
  readonly perClientPerHour?: number
}

/**
 * Mails to strangers that one network may request in an hour, as a multiple of the limit of one address. With a network of 250
 * addresses an attacker would otherwise use up the quota of a mail provider.
 */
export const networkFactor = 5

export const defaultMailLimits: Required<MailLimits> = { intervalMs: minuteMs / 2, perClientPerHour: 20 }
