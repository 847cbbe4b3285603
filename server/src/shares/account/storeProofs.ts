import { ed25519 } from '@noble/curves/ed25519.js'
import { sql, type Kysely } from 'kysely'
import type { Passkeys } from '../../custody/passkeys/passkeys.ts'
import { formatBase64url, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { StoreProof } from '../../custody/requests/storeProofSchema.ts'
import { Problem } from '../../kit/http/problem.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { WrappedKey } from '../recovery/recoveryStore.ts'

/** An action that no device may take which doesn't open the wallet, with its parameters. */
export type ProvenAction =
  | { readonly purpose: 'epoch' | 'remove'; readonly setId: Uint8Array }
  | { readonly purpose: 'remove-device'; readonly key: string }
  | { readonly purpose: 'delete' }
  /** The user id that the wallet has before it moves to that of the device. */
  | { readonly purpose: 'adopt'; readonly previous: string }
  | { readonly purpose: 'method'; readonly method: WrappedKey }
  /** The key that signs the policy of the wallet. */
  | { readonly purpose: 'policy'; readonly verifier: Uint8Array }
  | { readonly purpose: 'passkey'; readonly id: Uint8Array; readonly publicKey: Uint8Array }

/**
 * The proofs that a device opened the wallet. The share store learns the wallet's public key for this purpose with the first
 * enrolment. The key is derived from the wallet's entropy, and unrelated to its addresses, which the share store doesn't know.
 */
export type StoreProofs = {
  /** Creates a challenge of 32 bytes. It is valid once, for five minutes, for this user on this device. */
  createChallenge(user: string, key: string): Promise<Uint8Array>
  /**
   * True if the wallet signed this action. Uses the challenge up. The proof of a wallet without a recorded key is accepted from its oldest
   * device only, and records the key.
   */
  isProven(device: Device, action: ProvenAction, proof: StoreProof | undefined): Promise<boolean>
  /** Checks the same. @throws Problem 401 `wallet`, including without a proof */
  assertProof(device: Device, action: ProvenAction, proof: StoreProof | undefined): Promise<void>
}

type Device = { readonly user: string; readonly key: string }

export type StoreProofsDependencies = {
  database: Kysely<unknown>
  passkeys: Pick<Passkeys, 'createChallenge' | 'consumeChallenge'>
  /** The base URL of the share store. */
  url(): string
}

/** Creates the proofs of the share store. */
export function createStoreProofs({ database, passkeys, url }: StoreProofsDependencies): StoreProofs {
  async function isProven(device: Device, action: ProvenAction, proof: StoreProof | undefined): Promise<boolean> {
    if (proof === undefined) return false
    const challenge = parseBase64url(proof.challenge, 'challenge', 32)
    const signature = parseBase64url(proof.signature, 'signature', 64)
    const publicKey = parseBase64url(proof.publicKey, 'publicKey', 32)
    const isPending = await passkeys.consumeChallenge(device.user, device.key, challenge)
    const text = storeProofText({ url: url(), action, challenge })
    if (!isPending || !isSigned(text, { signature, publicKey })) return false
    return acceptKey(database, walletOwnerOf(device, action), publicKey)
  }

  return {
    createChallenge: (user, key) => passkeys.createChallenge(user, key),
    isProven,
    async assertProof(device, action, proof) {
      if (await isProven(device, action, proof)) return
      throw new Problem(401, 'wallet', 'This does not prove that the wallet is open here.')
    },
  }
}

/**
 * Returns the bytes that the wallet signs: purpose and parameters, so that a signature allows one action, and the URL of the
 * share store, so that no other service can have it signed for this one.
 *
 * @param challenge challenge of the share store, 32 bytes
 */
export function storeProofText({
  url,
  action,
  challenge,
}: {
  url: string
  action: ProvenAction
  challenge: Uint8Array
}): Buffer {
  const lines = ['latchkey/share-store-proof/1', url, action.purpose, parametersOf(action), formatBase64url(challenge)]
  return Buffer.from(lines.join('\n'))
}

/** A wallet that moves to another user id is still that of the previous one. */
function walletOwnerOf({ user, key }: Device, action: ProvenAction): Device {
  return { user: action.purpose === 'adopt' ? action.previous : user, key }
}

function parametersOf(action: ProvenAction): string {
  switch (action.purpose) {
    case 'delete':
      return ''
    case 'epoch':
    case 'remove':
      return formatBase64url(action.setId)
    case 'remove-device':
      return action.key
    case 'policy':
      return formatBase64url(action.verifier)
    case 'adopt':
      return action.previous
    case 'method': {
      const { id, method, wrapped, facts } = action.method
      return digestOf([id, method, formatBase64url(wrapped), facts])
    }
    case 'passkey':
      return digestOf([formatBase64url(action.id), formatBase64url(action.publicKey)])
  }
}

const digestOf = (lines: readonly string[]): string => formatBase64url(sha256(Buffer.from(lines.join('\n'))))

function isSigned(
  text: Uint8Array,
  { signature, publicKey }: { signature: Uint8Array; publicKey: Uint8Array },
): boolean {
  try {
    return ed25519.verify(Uint8Array.from(signature), Uint8Array.from(text), Uint8Array.from(publicKey), {
      zip215: false,
    })
  } catch {
    return false
  }
}

/**
 * True for the recorded key of the wallet. A wallet from before these keys has none: its oldest device records it. A device
 * that was approved later, such as that of a thief, can't.
 */
async function acceptKey(database: Kysely<unknown>, { user, key }: Device, publicKey: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update share_wallet set proof_key = ${publicKey}
    where user_id = ${user} and (proof_key = ${publicKey} or (proof_key is null and ${key} = (
      select key_thumbprint from share_device where share_device.user_id = ${user}
      order by founder desc, since, key_thumbprint limit 1)))
    returning user_id`.execute(database)
  return rows.length > 0
}
