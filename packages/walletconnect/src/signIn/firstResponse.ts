import { agreeWithDapp } from '../wallet/approveProposal.ts'
import { hexToBytes } from '../crypto/bytes.ts'
import { openEnvelope, parseEnvelope, sealEnvelope, deriveSymmetricKey, topicOfKey } from '../crypto/envelope.ts'
import { createKeyPair } from '../crypto/createKeyPair.ts'
import type { KeyPair } from '../crypto/curves.ts'
import { tryParseJson } from '../primitives/unknownRecord.ts'
import { parsePayload, type Payload } from '../channel/payload.ts'

/** The response of a wallet that knows only the public key of a dapp: a type-1 envelope, on the topic of that key. */
export type FirstResponse = {
  readonly publicKey: Uint8Array
  /** The topic on which the dapp waits for the response. */
  readonly topic: string
  /** The key that both sides can derive from now on. */
  readonly key: Uint8Array
  seal(payload: object): string
}

/**
 * Creates new keys for the response to a dapp.
 *
 * @param dappPublicKey 32 bytes as hex
 * @throws LatchkeyError `session/invalid` for a key of low order
 */
export async function createFirstResponse(dappPublicKey: string): Promise<FirstResponse> {
  const keys = await createKeyPair()
  const key = await agreeWithDapp(keys, dappPublicKey)
  return {
    publicKey: keys.publicKey,
    topic: topicOfKey(hexToBytes(dappPublicKey)),
    key,
    seal: (payload) => sealEnvelope(JSON.stringify(payload), key, keys.publicKey),
  }
}

/** Decrypts the first response of a wallet. Returns `undefined` for other messages. */
export async function openFirstResponse(keys: KeyPair, message: string): Promise<Payload | undefined> {
  const envelope = parseEnvelope(message)
  if (envelope?.type !== 1) return undefined
  try {
    const key = deriveSymmetricKey(await keys.deriveSharedSecret(envelope.senderPublicKey))
    return parsePayload(tryParseJson(openEnvelope(envelope, key) ?? ''))
  } catch {
    // A key of low order. No honest wallet has one.
    return undefined
  }
}
