const day = 86_400_000

/** The durations in the life of a name, in milliseconds. */
export type NameTerms = {
  /** From a registration or renewal until the name expires. */
  termMs: number
  /** After the expiry, while only the owner can have the name again, by renewing it. */
  graceMs: number
  /** After a release, while only the former owner can register the name again: payments to it may still arrive. */
  coolDownMs: number
  /** From an offer to another address until it lapses. */
  offerMs: number
}

/** The terms that `docs/names.md` documents. */
export const nameTerms: NameTerms = {
  termMs: 365 * day,
  graceMs: 90 * day,
  coolDownMs: 90 * day,
  offerMs: 7 * day,
}

type Term = { expires_at: number; released_at: number | null }

/** True if a name resolves. */
export function isActive({ expires_at, released_at }: Term, now: number): boolean {
  return released_at === null && now < expires_at
}

/** True if a name has an owner, who may renew it if it has expired. */
export function isHeld({ expires_at, released_at }: Term, now: number, { graceMs }: NameTerms): boolean {
  return released_at === null && now < expires_at + graceMs
}

/** True if a name was released so recently that only its former owner may register it. */
export function isCoolingDown({ released_at }: Term, now: number, { coolDownMs }: NameTerms): boolean {
  return released_at !== null && now < released_at + coolDownMs
}
