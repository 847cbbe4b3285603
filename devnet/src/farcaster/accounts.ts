import { keccak256, stringToHex, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

/** Somebody with a Farcaster account in the local world. */
export type FarcasterPerson = {
  readonly fid: bigint
  readonly userName: string
  readonly displayName: string
  /** Who owns the account on the chain. */
  readonly custody: PrivateKeyAccount
  /** Another address that may log it in. */
  readonly auth: PrivateKeyAccount
}

/** The accounts that the registries know. Their keys are public, like all of this world's. */
export function farcasterPeople(): readonly [FarcasterPerson, FarcasterPerson] {
  return [person(101n, 'ann', 'Ann Lee'), person(102n, 'ben', 'Ben Okoro')]
}

function person(fid: bigint, userName: string, displayName: string): FarcasterPerson {
  const key = (what: string): Hex => keccak256(stringToHex(`latchkey local farcaster ${what} ${fid}`))
  const [custody, auth] = [privateKeyToAccount(key('custody')), privateKeyToAccount(key('auth'))]
  return { fid, userName, displayName, custody, auth }
}
