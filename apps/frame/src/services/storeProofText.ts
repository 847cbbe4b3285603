import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { toBase64url } from './toBase64url.ts'

/** An action at the share store that no device may take which doesn't open the wallet, with its parameters. */
export type ProvenAction =
  | { readonly purpose: 'epoch' | 'remove'; readonly setId: Uint8Array }
  | { readonly purpose: 'remove-device'; readonly key: string }
  | { readonly purpose: 'delete' }
  /** The user id that the wallet has before it moves to that of the device. */
  | { readonly purpose: 'adopt'; readonly previous: string }
  | {
      readonly purpose: 'method'
      readonly method: {
        readonly id: string
        readonly method: string
        readonly wrapped: Uint8Array
        readonly facts: string
      }
    }
  /** The key that signs the policy of the wallet. */
  | { readonly purpose: 'policy'; readonly verifier: Uint8Array }
  | { readonly purpose: 'passkey'; readonly id: Uint8Array; readonly publicKey: Uint8Array }

/**
 * Returns the text that the wallet signs for one action. It names the share store, so that no other service can have it signed.
 *
 * @param url URL of the share store, without a trailing slash
 * @param challenge challenge of the share store, 32 bytes
 */
export function storeProofText(url: string, action: ProvenAction, challenge: Uint8Array): Uint8Array {
  const lines = ['latchkey/share-store-proof/1', url, action.purpose, parametersOf(action), toBase64url(challenge)]
  return utf8ToBytes(lines.join('\n'))
}

function parametersOf(action: ProvenAction): string {
  switch (action.purpose) {
    case 'delete':
      return ''
    case 'epoch':
    case 'remove':
      return toBase64url(action.setId)
    case 'remove-device':
      return action.key
    case 'policy':
      return toBase64url(action.verifier)
    case 'adopt':
      return action.previous
    case 'method': {
      const { id, method, wrapped, facts } = action.method
      return digestOf([id, method, toBase64url(wrapped), facts])
    }
    case 'passkey':
      return digestOf([toBase64url(action.id), toBase64url(action.publicKey)])
  }
}

const digestOf = (lines: readonly string[]): string => toBase64url(sha256(utf8ToBytes(lines.join('\n'))))
