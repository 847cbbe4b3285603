import { createSigner } from '../crypto/createKeyPair.ts'
import type { Signer } from '../crypto/curves.ts'
import { createRelayAuthToken } from './relayAuthToken.ts'

type RelayAddressOptions = {
  projectId: string
  /** Random text that identifies this run of the client. */
  subject: string
  /** Returns the client's Ed25519 seed. Called once. */
  seed(): Uint8Array
}

/** Creates a function that adds a fresh token, issued at a time in Unix seconds, to the URL of a relay. */
export function createRelayAddress({
  projectId,
  subject,
  seed,
}: RelayAddressOptions): (relayUrl: string, issuedAt: number) => Promise<string> {
  let signer: Promise<Signer> | undefined

  return async (relayUrl, issuedAt) => {
    signer ??= createSigner(seed())
    const token = await createRelayAuthToken({ signer: await signer, audience: relayUrl, subject, issuedAt })
    const url = new URL(relayUrl)
    url.searchParams.set('auth', token)
    url.searchParams.set('projectId', projectId)
    url.searchParams.set('useOnCloseEvent', 'true')
    return url.href
  }
}
