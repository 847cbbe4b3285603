import { sharedKey } from '../approve.ts'
import { hexToBytes } from '../bytes.ts'
import { open, readEnvelope, seal, symmetricKeyOf, topicOf } from '../crypto.ts'
import { createKeyPair, type KeyPair } from '../curves.ts'
import { parseJson } from '../parse.ts'
import { readPayload, type Payload } from '../payloads.ts'

/** How a wallet answers a dapp of which it knows only the public key: in a type-1 envelope, on the topic of that key. */
export type FirstAnswer = {
  readonly publicKey: Uint8Array
  /** Where the dapp waits for the answer. */
  readonly topic: string
  /** The key that both sides can make from now on. */
  readonly key: Uint8Array
  seal(payload: object): string
}

/**
 * Makes new keys for the answer to a dapp.
 *
 * @param dappPublicKey 32 bytes as hex
 * @throws LatchkeyError `session/invalid` for a key that nobody honest has.
 */
export async function createFirstAnswer(dappPublicKey: string): Promise<FirstAnswer> {
  const keys = await createKeyPair()
  const key = await sharedKey(keys, dappPublicKey)
  return {
    publicKey: keys.publicKey,
    topic: topicOf(hexToBytes(dappPublicKey)),
    key,
    seal: (payload) => seal(JSON.stringify(payload), key, keys.publicKey),
  }
}

/** Opens the first answer of a wallet; nothing for anything else. */
export async function openFirstAnswer(keys: KeyPair, message: string): Promise<Payload | undefined> {
  const envelope = readEnvelope(message)
  if (envelope?.type !== 1) return undefined
  try {
    const key = symmetricKeyOf(await keys.agree(envelope.senderPublicKey))
    return readPayload(parseJson(open(envelope, key) ?? ''))
  } catch {
    // A key of low order: nobody honest has one.
    return undefined
  }
}
