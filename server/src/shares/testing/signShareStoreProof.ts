import { ed25519 } from '@noble/curves/ed25519.js'
import { storeProofText, type ProvenAction } from '../account/storeProofs.ts'
import type { LoginClient } from '../../testing/loginClient.ts'

/** Gets a challenge of the share store and signs it for an action, as a frame with an open wallet does. */
export async function signShareStoreProof(
  client: LoginClient,
  { url, action, key }: { url: string; action: ProvenAction; key: Uint8Array },
): Promise<{ challenge: string; publicKey: string; signature: string }> {
  const challenge = String((await client.request('POST', '/shares/v1/wallet/challenge', {})).body['challenge'])
  const text = storeProofText({ url, action, challenge: Buffer.from(challenge, 'base64url') })
  const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const signature = encode(ed25519.sign(Uint8Array.from(text), key))
  return { challenge, publicKey: encode(ed25519.getPublicKey(key)), signature }
}
