import { keccak256, stringToHex, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

/** A Farcaster account of the local world. */
export type FarcasterPerson = {
  readonly fid: bigint
  readonly userName: string
  readonly displayName: string
  /** The custody address that owns the account on chain. */
  readonly custody: PrivateKeyAccount
  /** An auth address that may sign in for the account. */
  readonly auth: PrivateKeyAccount
}

/** The registered accounts. Their keys are public, like all keys of the local world. */
export function farcasterPeople(): readonly [FarcasterPerson, FarcasterPerson] {
  return [createPerson(101n, 'ann', 'Ann Lee'), createPerson(102n, 'ben', 'Ben Okoro')]
}

function createPerson(fid: bigint, userName: string, displayName: string): FarcasterPerson {
  const key = (what: string): Hex => keccak256(stringToHex(`latchkey local farcaster ${what} ${fid}`))
  const [custody, auth] = [privateKeyToAccount(key('custody')), privateKeyToAccount(key('auth'))]
  return { fid, userName, displayName, custody, auth }
}
