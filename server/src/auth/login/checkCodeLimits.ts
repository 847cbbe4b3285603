import type { Kysely } from 'kysely'
import { networkFactor, type MailLimits } from '../../custody/mail/mailLimits.ts'
import { takeMailTurn } from '../../custody/mail/takeMailTurn.ts'
import { windowWaitMs } from '../../custody/windowWaitMs.ts'

const hourMs = 60 * 60_000

/** The keyed hashes that a code is counted by, and if this is a proven device of the mailbox's user. */
export type CodeCounters = {
  /** The thumbprint of the device's key. */
  key: string
  mailbox: Buffer
  domain: Buffer
  client: Buffer
  network: Buffer
  project: string
  isKnown: boolean
}

/** Milliseconds until the request may be repeated, or the guesses that the code accepts. */
export type CodeDecision = { waitMs: number } | { guesses: 1 | 3 }

type CodeLimit = {
  column: 'mailbox' | 'domain' | 'client' | 'network' | 'project'
  withinMs: number
  max: number
  also: Readonly<Record<string, Buffer | string | boolean>>
}

/**
 * Decides if a code may be sent now. Codes are counted in the database, so a restart resets nothing.
 *
 * Each proven device of the mailbox's user has a budget of its own: otherwise anyone could lock it out, and so could the thief
 * of one code. Strangers share a budget with all others. Once it is used up, they wait in a queue, and a code from there accepts one guess.
 *
 * @param transaction has locked the mailbox
 * @param now milliseconds since the epoch
 */
export async function checkCodeLimits(
  transaction: Kysely<unknown>,
  counters: CodeCounters,
  now: number,
  limits: Required<MailLimits>,
): Promise<CodeDecision> {
  const waitFor = async (applied: readonly CodeLimit[]): Promise<number> => {
    const waits = await Promise.all(applied.map((limit) => limitWaitMs(transaction, counters, limit, now)))
    return Math.max(...waits)
  }
  if (counters.isKnown) {
    const waitMs = await waitFor(knownDeviceLimits(counters, limits))
    return waitMs > 0 ? { waitMs } : { guesses: 3 }
  }
  const waitMs = await waitFor(strangerLimits(counters, limits))
  if (waitMs > 0) return { waitMs }
  if ((await waitFor(sharedBudgets)) <= 0) return { guesses: 3 }
  const turnMs = await takeMailTurn(transaction, 'auth_mail_turn', { ...counters, now })
  return turnMs > 0 ? { waitMs: turnMs } : { guesses: 1 }
}

const isStranger = { known: false }

function knownDeviceLimits({ key }: CodeCounters, { intervalMs }: Required<MailLimits>): readonly CodeLimit[] {
  const also = { known: true, key_thumbprint: key }
  return [
    { column: 'mailbox', withinMs: intervalMs, max: 1, also },
    { column: 'mailbox', withinMs: hourMs, max: 5, also },
    { column: 'mailbox', withinMs: 24 * hourMs, max: 10, also },
  ]
}

/** Limits that a stranger reaches by own requests, and ceilings that take an attacker hundreds of networks. */
function strangerLimits({ client }: CodeCounters, limits: Required<MailLimits>): readonly CodeLimit[] {
  const also = isStranger
  return [
    { column: 'mailbox', withinMs: limits.intervalMs, max: 1, also },
    { column: 'mailbox', withinMs: hourMs, max: 5, also: { ...also, client } },
    { column: 'mailbox', withinMs: 24 * hourMs, max: 10, also: { ...also, client } },
    { column: 'client', withinMs: hourMs, max: limits.perClientPerHour, also },
    { column: 'network', withinMs: hourMs, max: limits.perClientPerHour * networkFactor, also },
    { column: 'domain', withinMs: hourMs, max: 5_000, also },
    { column: 'project', withinMs: hourMs, max: 20_000, also },
  ]
}

/** Budgets that all strangers share. */
const sharedBudgets: readonly CodeLimit[] = [
  { column: 'mailbox', withinMs: hourMs, max: 5, also: isStranger },
  { column: 'mailbox', withinMs: 24 * hourMs, max: 10, also: isStranger },
  { column: 'domain', withinMs: hourMs, max: 500, also: isStranger },
  { column: 'project', withinMs: hourMs, max: 2_000, also: isStranger },
]

function limitWaitMs(
  transaction: Kysely<unknown>,
  counters: CodeCounters,
  { column, withinMs, max, also }: CodeLimit,
  now: number,
): Promise<number> {
  const counted = { table: 'auth_code', time: 'created_at', column, value: counters[column], also }
  return windowWaitMs(transaction, counted, { withinMs, max, now })
}
