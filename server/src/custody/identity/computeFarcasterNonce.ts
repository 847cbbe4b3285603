import { sha256 } from '../../kit/secrets/sha256.ts'

/** The key of one frame and a challenge of each service, to which the message of a Farcaster login commits. */
export type FarcasterCommitment = {
  /** The thumbprint of the frame's key. */
  readonly key: string
  /** The challenges, as base64url. */
  readonly authChallenge: string
  readonly sharesChallenge: string
}

/**
 * Computes the nonce of a Farcaster login. The frame puts it into the message that the user's application signs. Both services
 * compute it again, so a message that was signed for another key or another login is refused.
 */
export function computeFarcasterNonce({ key, authChallenge, sharesChallenge }: FarcasterCommitment): string {
  return sha256(['latchkey/farcaster/1', key, authChallenge, sharesChallenge].join('\n')).toString('hex')
}
